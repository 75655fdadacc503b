import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import NIOPosix
import Testing

@testable import MartletTransport

/// Uploads to servers that read slowly and without a pause: the system's send buffer takes megabytes at once, and what it
/// still has to send is no silence. Engines and servers have event loops of their own, because a loop that another test holds up
/// would be silence, as is a machine that stands still.
@Suite(.timeLimit(.minutes(5)))
struct SlowUploadTests {
  private static let body = RequestBody.bytes(ByteBuffer(repeating: 0x78, count: 4 << 20))
  private static let lateness = Duration.milliseconds(500)
  private static let loops = MultiThreadedEventLoopGroup(numberOfThreads: 2)

  @Test func `the idle time-out does not run while bytes leave, over HTTP/1.1`() async throws {
    try await unlessLate(by: Self.lateness, on: [Self.loops]) {
      let server = try await SlowServer.start(on: Self.loops, answeringAfter: 4 << 20)
      var request = Request(.put, url: try #require(server.url), body: Self.body)
      request.options.timeouts = Timeouts(
        connect: .seconds(30), firstByte: .seconds(2), idle: .seconds(2))
      var configuration = HTTPTransportConfiguration()
      configuration.eventLoopGroup = Self.loops
      let engine = HTTPTransport(configuration)
      let result = await engine.begin(request).result
      await engine.close()
      try await server.stop()
      #expect(try result.get().status == .ok)
    }
  }

  @Test func `the idle time-out does not run while bytes leave, over HTTP/2`() async throws {
    try await upload { engine, request in
      request.options.timeouts = Timeouts(connect: .seconds(30), idle: .seconds(2))
    }
  }

  @Test func `a peer that reads steadily is not given up by PING (RFC 9113 §6.7)`() async throws {
    try await upload { engine, request in
      engine.http2.pingInterval = .milliseconds(500)
      engine.http2.pingTimeout = .milliseconds(1500)
    }
  }

  /// To a peer whose windows are no limit, and that answers PINGs only when it reads them.
  private func upload(
    _ change: (inout HTTPTransportConfiguration, inout Request) -> Void
  ) async throws {
    try await unlessLate(by: Self.lateness, on: [Self.loops]) {
      try await uploadOnce(change)
    }
  }

  private func uploadOnce(
    _ change: (inout HTTPTransportConfiguration, inout Request) -> Void
  ) async throws {
    var configuration = HTTPTransportConfiguration()
    configuration.versions = .http2
    configuration.eventLoopGroup = Self.loops
    let peer = try await FramePeer.start(isSlow: true, on: Self.loops)
    var request = peer.post(Self.body)
    change(&configuration, &request)
    let engine = HTTPTransport(configuration)
    // A peer that answers late would be silence, too, so that it does not share threads with other tests.
    let executor = EngineExecutor(loop: Self.loops.next(), outsideWork: OutsideWork())
    let task = engine.begin(request)
    let answering = Task(executorPreference: executor) { try await answer(on: peer) }
    let result = await task.result
    if case .failure = result { answering.cancel() }
    let answered = await answering.result
    await engine.close()
    await peer.stop()
    #expect(try result.get().status == .ok)
    try answered.get()
  }

  /// Answers PINGs, and the request when its body is whole.
  private func answer(on peer: FramePeer) async throws {
    let connection = try await peer.accept([.initialWindowSize: 1 << 30])
    connection.send(.windowUpdate(0, 1 << 30))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        while !Task.isCancelled {
          var ping = try await connection.next(.ping)
          ping.flags = RawFrame.ack
          connection.send(ping)
        }
      }
      defer { group.cancelAll() }
      let received = try await connection.request().stream
      try await connection.waitForData(4 << 20, on: received)
      connection.answer(received)
    }
  }
}

/// An HTTP/1.1 server that reads slowly, and answers after a number of bytes of any kind.
private struct SlowServer {
  let channel: any Channel

  static func start(on loops: MultiThreadedEventLoopGroup, answeringAfter count: Int) async throws
    -> SlowServer
  {
    let bootstrap = ServerBootstrap(group: loops)
    let channel = try await SlowReading.options(bootstrap)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers(SlowReading(), Answer(after: count))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    return SlowServer(channel: channel)
  }

  var url: URL? { channel.localAddress?.port.flatMap { URL(string: "http://127.0.0.1:\($0)/") } }

  func stop() async throws { try await channel.close() }

  private final class Answer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    private var rest: Int

    init(after count: Int) { rest = count }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      rest -= unwrapInboundIn(data).readableBytes
      guard rest <= 0 else { return }
      let answer = ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
    }
  }
}

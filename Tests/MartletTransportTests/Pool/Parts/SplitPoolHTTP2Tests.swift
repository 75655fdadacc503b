import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import NIOPosix
import TestTiming
import Testing

@testable import MartletTransport

/// The connections of HTTP/2 to one origin on several event loops.
@Suite(.timeLimit(.minutes(5)))
final class SplitPoolHTTP2Tests {
  /// Loops of their own, which other tests do not keep busy.
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 4)

  deinit {
    group.shutdownGracefully { _ in }
  }

  private func start() async throws -> (FramePeer, HTTPTransport) {
    var configuration = HTTPTransportConfiguration.loops(4, of: group)
    configuration.versions = .http2
    return (try await FramePeer.start(), HTTPTransport(configuration))
  }

  @Test func `all loops share one connection until its loop is busy`() async throws {
    let (peer, engine) = try await start()
    let first = engine.begin(peer.get())
    let connection = try await peer.accept([.maxConcurrentStreams: 100])
    try await connection.next(.headers, on: 1)
    connection.answer(1)
    _ = try await first.value
    try await eventually { engine.hasNoBusyLoop }
    let tasks = (0..<4).map { loop in Task { try await engine.send(peer.get(), on: loop) } }
    for stream: UInt32 in [3, 5, 7, 9] {
      try await connection.next(.headers, on: stream)
      connection.answer(stream)
    }
    for task in tasks { #expect(try await task.value.status == .ok) }
    #expect(peer.connectionCount == 1)
    await engine.close()
    await peer.stop()
  }

  @Test func `when the loop of the connection is busy another loop opens a second`() async throws {
    let server = try await LoopbackServer.start(priorKnowledge: true)
    var configuration = HTTPTransportConfiguration.loops(4, of: group)
    configuration.versions = .http2
    let engine = HTTPTransport(configuration)
    let request = Request(url: server.url("/get"))
    try await engine.expectOK(request)
    try await eventually { engine.hasNoBusyLoop }
    for _ in 0..<20 { try await engine.expectOK(request) }
    #expect(server.connectionCount == 1)
    var counts = try await engine.connectionCounts(request)
    let part = try #require(counts.firstIndex(of: 1))
    // The loop measures that it is not busy every 20 ms, so that one request may come too late.
    for _ in 0..<1000 where server.connectionCount == 1 {
      engine.directory.engineLoops[part].usage.record(share: 0.9)
      try await engine.expectOK(request)
    }
    try await eventually {
      (try? await engine.connectionCounts(request).sorted()) == [0, 0, 1, 1]
    }
    #expect(server.connectionCount == 2)
    counts = try await engine.connectionCounts(request)
    // From now on, both parts serve the code of their loops.
    for loop in 0..<4 where counts[loop] == 1 { _ = try await engine.send(request, on: loop) }
    counts = try await engine.connectionCounts(request)
    #expect(counts.sorted() == [0, 0, 1, 1])
    await engine.close()
    await server.stop()
  }

  @Test func `when the streams are used up another loop opens a second connection`() async throws {
    let (peer, engine) = try await start()
    let first = engine.begin(peer.get())
    let connection = try await peer.accept([.maxConcurrentStreams: 2])
    try await connection.next(.headers, on: 1)
    // The engine knows the limit.
    try await connection.settle()
    try await eventually { engine.hasNoBusyLoop }
    let others = (0..<3).map { _ in engine.begin(peer.get()) }
    try await connection.next(.headers, on: 3)
    let second = try await peer.accept([.maxConcurrentStreams: 2])
    for stream: UInt32 in [1, 3] {
      try await second.next(.headers, on: stream)
      second.answer(stream)
      connection.answer(stream)
    }
    for task in [first] + others { #expect(try await task.value.status == .ok) }
    // On a busy machine, the second loop may have begun to open another one before its first was there.
    let counts = try await engine.connectionCounts(peer.get())
    #expect(counts.count { $0 > 0 } == 2)
    #expect(counts.reduce(0, +) <= 3)
    await engine.close()
    await peer.stop()
  }

  @Test
  func
    `requests that wait for the first connection of an unknown protocol are spread when it is HTTP/1.1`()
    async throws
  {
    let authority = try TemporaryAuthority()
    let arrived = AwaitableValue(0)
    let router = ServerRouter([
      .get("/together") { _ in
        arrived.update { $0 += 1 }
        try await arrived.wait { $0 == 40 }
        return .text("ok")
      }
    ])
    let server = try await LoopbackServer.start(
      tls: ServerTLS(try authority.leaf()), router: router)
    var configuration = HTTPTransportConfiguration.loops(4, of: group)
    configuration.tls.roots = .certificates([authority.root])
    // Forty handshakes at once are slow.
    configuration.timeouts.connect = .seconds(120)
    configuration.timeouts.tls = .seconds(120)
    let engine = HTTPTransport(configuration)
    let request = Request(url: server.url("/together"))
    let tasks = (0..<40).map { _ in Task { try await engine.send(request) } }
    for task in tasks { #expect(try await task.value.status == .ok) }
    let counts = try await engine.connectionCounts(request)
    #expect(counts.min() ?? 0 > 3, "\(counts)")
    await engine.close()
    await server.stop()
  }

  @Test func `after a GOAWAY on each part in turn every request is sent on another connection`()
    async throws
  {
    let (peer, engine) = try await start()
    var connections: [FrameConnection] = []
    var tasks: [Task<Response, any Error>] = []
    for _ in 0..<4 {
      tasks.append(engine.begin(peer.get()))
      let connection = try await peer.accept([.maxConcurrentStreams: 1])
      try await connection.next(.headers, on: 1)
      try await connection.settle()
      connections.append(connection)
    }
    let counts = try await engine.connectionCounts(peer.get())
    #expect(counts == [1, 1, 1, 1])
    var others: [FrameConnection] = []
    for connection in connections {
      connection.send(.goAway(0))
      let other = try await peer.accept([.maxConcurrentStreams: 1])
      try await other.next(.headers, on: 1)
      // The engine knows that this connection has no place for the next request.
      try await other.settle()
      others.append(other)
    }
    for other in others { other.answer(1) }
    for task in tasks { #expect(try await task.value.status == .ok) }
    #expect(peer.connectionCount == 8)
    await engine.close()
    await peer.stop()
  }
}

extension HTTPTransport {
  /// Whether no loop counts as busy, as that of a new connection may for a moment.
  fileprivate var hasNoBusyLoop: Bool { !directory.engineLoops.contains(where: \.usage.isBusy) }
}

#if os(Linux)
import EssentialFoundation
import HTTPTypes
import MartletCore
import NIOCore
import TestTiming
import Testing

@testable import MartletTransport

/// A body that arrives fast over HTTP/2 is read in larger pieces, as long as it is the only one.
@Suite(.timeLimit(.minutes(5)))
struct FastStreamTests {
  private static let length = 1 << 30

  /// An engine that reads a long body, of which some has arrived fast.
  private struct Download {
    let peer: FramePeer
    let engine: HTTPTransport
    let connection: FrameConnection
    let body: ResponseBody
    let channel: any Channel

    init(windowSize: Int = 4 << 20) async throws {
      peer = try await FramePeer.start()
      engine = peer.engine {
        $0.http2.initialStreamWindowSize = windowSize
        $0.http2.maximumStreamWindowSize = windowSize
      }
      var request = peer.get()
      request.delivery = .stream
      let task = engine.begin(request)
      connection = try await peer.accept()
      _ = try await connection.request()
      connection.send(
        .headers(1, [":status": "200", "content-length": "\(FastStreamTests.length)"]))
      let response = try await task.value
      body = response.body
      channel = try await engine.onlyChannel(to: peer.url())
    }

    /// Sends bytes of the body, and reads them.
    func receive(_ count: Int) async throws {
      let frame = 16 << 10
      for _ in 0..<count / frame { connection.send(.data(1, count: frame)) }
      var received = 0
      for try await chunk in body {
        received += chunk.readableBytes
        if received == count { return }
      }
    }

    var mark: Int {
      get async throws {
        Int(try await channel.getOption(try #require(ReceiveLowWaterMark.option)).get())
      }
    }
  }

  /// Sends bytes until the mark rises: on a busy machine, the first may arrive too slowly.
  private func raised(_ download: Download) async throws -> Int {
    for _ in 1...200 {
      try await download.receive(2 << 20)
      if case let mark = try await download.mark, mark > 1 { return mark }
    }
    return 1
  }

  @Test func `the mark rises, and falls when no more bytes arrive`() async throws {
    let download = try await Download()
    #expect(try await download.mark == 1)
    #expect([256 << 10, 1 << 20].contains(try await raised(download)))
    // The rest of the body does not come.
    try await eventually { try await download.mark <= 1 }
    await download.peer.stop()
  }

  @Test func `the mark falls when another request begins on the connection`() async throws {
    let download = try await Download()
    #expect(try await raised(download) > 1)
    let other = download.engine.begin(download.peer.get("/other"))
    _ = try await download.connection.request()
    #expect(try await download.mark == 1)
    // With two streams it does not rise again.
    try await download.receive(2 << 20)
    #expect(try await download.mark == 1)
    download.connection.answer(3)
    #expect(try await other.value.status == .ok)
    await download.peer.stop()
  }

  @Test func `the mark falls when the body is not needed any more`() async throws {
    var download: Download? = try await Download()
    let (peer, channel) = (try #require(download?.peer), try #require(download?.channel))
    let connection = try #require(download?.connection)
    let engine = try #require(download?.engine)
    #expect(try await raised(try #require(download)) > 1)
    download = nil
    _ = try await connection.next(.reset, on: 1)
    let option = try #require(ReceiveLowWaterMark.option)
    #expect(try await channel.getOption(option).get() == 1)
    let next = engine.begin(peer.get("/next"))
    let number = try await connection.request().stream
    connection.answer(number)
    #expect(try await next.value.status == .ok)
    await peer.stop()
  }

  @Test func `the mark stays below what the server may send`() async throws {
    // A quarter of the window is less than the lowest mark.
    let download = try await Download(windowSize: 512 << 10)
    for _ in 1...24 { try await download.receive(256 << 10) }
    #expect(try await download.mark == 1)
    await download.peer.stop()
  }
}
#endif

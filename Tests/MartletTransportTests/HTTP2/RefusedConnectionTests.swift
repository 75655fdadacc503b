import HTTPTypes
import MartletCore
import MartletTransport
import NIOCore
import Testing

/// Connections that end before they carried anything, and uploads that leave nothing behind.
struct RefusedConnectionTests {
  @Test func `a server that goes away at once is not asked again without end (§6.8)`() async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let accepting = Task {
      while !Task.isCancelled {
        let connection = try await peer.acceptInSilence()
        connection.send(.settings([:]), .goAway(0))
      }
    }
    let tasks = (0..<4).map { _ in engine.begin(peer.get()) }
    for task in tasks {
      let error = await #expect(throws: MartletError.self) { try await task.value }
      #expect(error?.code == .connectionLost)
      #expect(error?.isSafeToRetry == true)
    }
    #expect(peer.connectionCount <= 32)
    accepting.cancel()
    await peer.stop()
  }

  @Test func `an upload leaves nothing behind`() async throws {
    final class Token: Sendable {}
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    weak var left: Token?
    do {
      let token = Token()
      left = token
      let body = Body.producer(length: nil) { write in
        withExtendedLifetime(token) {}
        try await write(ByteBuffer(string: "abc"))
      }
      let task = engine.begin(Request(.post, url: peer.url(), body: body))
      let connection = try await peer.accept()
      try await connection.waitForData(3, on: 1)
      connection.answer(1)
      _ = try await task.value
    }
    for _ in 0..<1_000 where left != nil { try await Task.sleep(for: .milliseconds(5)) }
    #expect(left == nil)
    await peer.stop()
  }
}

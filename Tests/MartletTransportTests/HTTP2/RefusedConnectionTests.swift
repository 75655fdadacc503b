import MartletCore
import MartletTransport
import Testing

/// Connections that end before they carried anything.
@Suite(.timeLimit(.minutes(5)))
struct RefusedConnectionTests {
  @Test func `a server whose first frame is not SETTINGS is not listened to (§3.4)`() async throws {
    let peer = try await FramePeer.start()
    let task = peer.engine().begin(peer.get())
    let connection = try await peer.acceptInSilence()
    _ = try await connection.request()
    connection.answer(1)
    let error = await #expect(throws: MartletError.self) { try await task.value }
    #expect(error?.code == .connectionLost)
    #expect(try await connection.next(.goAway).code == .protocolError)
    await peer.stop()
  }

  @Test func `settings that break the rules are those of an HTTP_2 server`() async throws {
    let peer = try await FramePeer.start()
    let task = peer.engine().begin(peer.get())
    let connection = try await peer.acceptInSilence()
    connection.send(.settings([.maxFrameSize: 1]))
    let error = await #expect(throws: MartletError.self) { try await task.value }
    #expect(error?.message.contains("broke the rules of HTTP/2 (PROTOCOL_ERROR)") == true)
    await peer.stop()
  }

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
    // A request that had left by then goes out three more times.
    #expect(peer.connectionCount <= 16)
    accepting.cancel()
    await peer.stop()
  }
}

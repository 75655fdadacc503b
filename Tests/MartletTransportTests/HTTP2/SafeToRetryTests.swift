import HTTPTypes
import MartletCore
import MartletTransport
import NIOCore
import Testing

/// What an error says of a request that went out on a connection that was lost.
@Suite(.timeLimit(.minutes(5)))
struct SafeToRetryTests {
  @Test func `a request that may have been processed is not called safe to send again`()
    async throws
  {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    let first = engine.begin(peer.get())
    let connection = try await peer.accept()
    _ = try await connection.request()
    connection.answer(1)
    _ = try await first.value
    let body = RequestBody.producer(length: 3, isReplayable: false) { write in
      try await write(ByteBuffer(string: "abc"))
    }
    let second = engine.begin(Request(.put, url: peer.url(), body: body))
    try await connection.waitForData(3, on: 3)
    await connection.close()
    let error = await #expect(throws: MartletError.self) { try await second.value }
    #expect(error?.isSafeToRetry == false)
    await peer.stop()
  }
}

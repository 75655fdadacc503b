import HTTPTypes
import MartletCore
import MartletTransport
import NIOCore
import TestTiming
import Testing

/// What an upload holds is let go of when it is over.
@Suite(.timeLimit(.minutes(5)))
struct UploadEndTests {
  @Test func `an upload leaves nothing behind`() async throws {
    final class Token: Sendable {}
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    weak var left: Token?
    do {
      let token = Token()
      left = token
      let body = RequestBody.producer(length: nil) { write in
        withExtendedLifetime(token) {}
        try await write(ByteBuffer(string: "abc"))
      }
      let task = engine.begin(Request(.post, url: peer.url(), body: body))
      let connection = try await peer.accept()
      try await connection.waitForData(3, on: 1)
      connection.answer(1)
      _ = try await task.value
    }
    try await eventually { [weak left] in left == nil }
    await peer.stop()
  }
}

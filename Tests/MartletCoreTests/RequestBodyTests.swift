import Foundation
import MartletCore
import NIOCore
import Testing

/// Bodies of requests, before they are sent.
@Suite(.timeLimit(.minutes(5)))
struct RequestBodyTests {
  @Test func `more bytes than a buffer holds are sent in pieces`() async throws {
    let count = ByteBuffer.largest + 1
    let body = RequestBody.data(Data(count: count))
    #expect(body.length == Int64(count))
    #expect(body.isReplayable)
    guard case .producer(let produce) = body.source else {
      Issue.record("The body is of another kind.")
      return
    }
    await #expect(throws: CancellationError.self) {
      try await produce { piece in
        #expect(piece.readableBytes == 1 << 20)
        throw CancellationError()
      }
    }
  }
}

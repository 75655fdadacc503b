import MartletCore
import NIOCore
import Testing

@testable import MartletTransport

/// A body that is collected in memory.
struct BodyBufferTests {
  @Test func `what no buffer can hold is refused, whatever the limit allows`() {
    let error = #expect(throws: MartletError.self) {
      try BodyBuffer(limit: .max, expected: 5_000_000_000)
    }
    #expect(
      error?.message
        == "The body of the response is larger than 4294967295 bytes: stream it, download it to a file, or raise the limit."
    )
  }

  @Test func `a body is collected up to its limit, and no further`() throws {
    var buffer = try BodyBuffer(limit: 5, expected: nil)
    try buffer.append(ByteBuffer(string: "abc"))
    try buffer.append(ByteBuffer(string: "de"))
    #expect(buffer.bytes == ByteBuffer(string: "abcde"))
    #expect(throws: MartletError.self) { try buffer.append(ByteBuffer(string: "f")) }
  }

  @Test func `collecting a body stops at its limit, too`() async throws {
    let body = ResponseBody(bytes: ByteBuffer(string: "abcde"))
    #expect(try await body.collect(upTo: 5).readableBytes == 5)
    await #expect(throws: MartletError.self) { try await body.collect(upTo: 4) }
    #expect(try await ResponseBody.empty.collect(upTo: .max).readableBytes == 0)
  }
}

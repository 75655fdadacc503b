import HTTPTypes
import MartletCore
import NIOCore
import Testing

@testable import MartletTransport

/// A body that is collected in memory.
@Suite(.timeLimit(.minutes(5)))
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

  @Test func `a body keeps no memory alive that is many times its size`() throws {
    var read = ByteBuffer(repeating: 1, count: 256 << 10)
    let slice = read.readSlice(length: 20 << 10) ?? ByteBuffer()
    var buffer = try BodyBuffer(limit: .max, expected: 20 << 10)
    try buffer.append(slice)
    #expect(buffer.bytes == slice)
    #expect(buffer.bytes.storageCapacity == 32 << 10)
  }

  @Test func `an announced length reserves at most 1 MiB`() throws {
    for (expected, reserved) in [(100 << 10, 128 << 10), (200 << 20, 1 << 20)] {
      var buffer = try BodyBuffer(limit: .max, expected: Int64(expected))
      try buffer.append(ByteBuffer(string: "a"))
      #expect(buffer.bytes.storageCapacity == reserved)
    }
  }

  @Test func `the limit of a body in memory is 256 MiB by default`() {
    guard case .buffer(let limit) = Delivery.buffered.handling(for: ResponseHead(status: .ok))
    else {
      Issue.record("The default does not collect the body.")
      return
    }
    #expect(limit == 256 << 20)
  }

  @Test func `a body that fills most of what was read is not copied`() throws {
    let read = ByteBuffer(repeating: 1, count: 20 << 10)
    var buffer = try BodyBuffer(limit: .max, expected: 20 << 10)
    try buffer.append(read)
    #expect(address(of: buffer.bytes) == address(of: read))
  }

  private func address(of bytes: ByteBuffer) -> Int {
    bytes.withUnsafeReadableBytes { Int(bitPattern: $0.baseAddress) }
  }

  @Test func `collecting a body stops at its limit, too`() async throws {
    let body = ResponseBody(bytes: ByteBuffer(string: "abcde"))
    #expect(try await body.collect(upTo: 5).readableBytes == 5)
    await #expect(throws: MartletError.self) { try await body.collect(upTo: 4) }
    #expect(try await ResponseBody.empty.collect(upTo: .max).readableBytes == 0)
  }
}

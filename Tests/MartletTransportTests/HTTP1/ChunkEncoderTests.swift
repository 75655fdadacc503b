import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import TestTiming
import Testing

@testable import MartletTransport

/// Request bodies in chunks.
@Suite(.timeLimit(.minutes(5)))
struct ChunkEncoderTests {
  @Test(arguments: [1, 16, 16 << 10])
  func `a small chunk leaves in one write`(count: Int) {
    let chunk = ByteBuffer(repeating: 0x78, count: count)
    let parts = ChunkEncoder.parts(of: chunk, allocator: ByteBufferAllocator())
    let text = String(repeating: "x", count: count)
    #expect(parts.map { String(buffer: $0) } == ["\(String(count, radix: 16))\r\n\(text)\r\n"])
  }

  @Test func `a large chunk is not copied`() {
    let chunk = ByteBuffer(repeating: 0x78, count: 1 << 20)
    let parts = ChunkEncoder.parts(of: chunk, allocator: ByteBufferAllocator())
    #expect(parts.count == 3)
    #expect(String(buffer: parts[0]) == "100000\r\n")
    #expect(parts[1].address == chunk.address)
    #expect(String(buffer: parts[2]) == "\r\n")
  }

  @Test func `chunks of any size arrive whole, and every byte of them is counted`() async throws {
    let server = try await ScriptedServer.start(.text("ok"))
    let chunks = [1, 16 << 10, 0, 20_000, 300_000].map { ByteBuffer(repeating: 0x78, count: $0) }
    let body = RequestBody.producer(length: nil) { write in
      for chunk in chunks { try await write(chunk) }
    }
    let response = try await HTTPTransport().send(Request(.post, url: server.url(), body: body))
    try await server.waitForRequests(1)
    #expect(server.receivedRequests.first?.body.readableBytes == 1 + (16 << 10) + 20_000 + 300_000)
    #expect(response.metrics.bytesSent == Int64(server.bytes().readableBytes))
    await server.stop()
  }

  @Test func `a chunk is complete before its producer is asked for the next`() async throws {
    let server = try await ScriptedServer.start(.text("ok"))
    let body = RequestBody.producer(length: nil) { write in
      try await write(ByteBuffer(string: "abc"))
      try await server.wait { $0.hasSuffix("\r\n3\r\nabc\r\n") }
    }
    _ = try await HTTPTransport().send(Request(.post, url: server.url(), body: body))
    await server.stop()
  }
}

extension ByteBuffer {
  fileprivate var address: UnsafeRawPointer? { withUnsafeReadableBytes { $0.baseAddress } }
}

extension ScriptedServer {
  /// Returns when what has arrived is as wanted.
  fileprivate func wait(until isMet: (String) -> Bool) async throws {
    try await eventually { isMet(String(buffer: bytes())) }
  }
}

import EssentialFoundation
import Foundation
import Martlet
import MartletTesting
import NIOCore
import Testing

/// What the lines of a body cost.
struct ResponseLinesTests {
  private struct Chunks: ResponseBodySource {
    let chunk: ByteBuffer
    let left: Locked<Int>

    func next() async throws -> ByteBuffer? {
      left.withLock { left in
        left -= 1
        return left < 0 ? nil : chunk
      }
    }

    func abandon() {}
    var completion: ResponseBody.Completion? { nil }
  }

  @Test func `lines that were read take no memory`() async throws {
    // No chunk ends where a line ends.
    let chunk = ByteBuffer(string: "bc\n\(String(repeating: "x", count: 4000))\na")
    let response = Response(
      head: ResponseHead(status: .ok), url: try URL(escaping: "http://h/"),
      body: ResponseBody(stream: Chunks(chunk: chunk, left: Locked(1000))))
    var lines = response.lines().makeAsyncIterator()
    var (count, capacity) = (0, 0)
    while try await lines.next() != nil {
      count += 1
      let rest = Mirror(reflecting: lines).descendant("rest") as? ByteBuffer
      capacity = max(capacity, try #require(rest).storageCapacity)
    }
    #expect(count == 2001)
    #expect(capacity <= 16 << 10)
  }
}

import Foundation
import HTTPTypes
import MartletCore
import NIOCore
import Testing

@testable import MartletEssentials

/// Which parts of a body are combined (RFC 9111 §3.4), decided without a cache.
struct CombinedPartTests {
  private func record(_ bytes: Range<Int64>, tag: String? = "\"a\"") -> CachedResponse.Record {
    var headers: HTTPFields = [.cacheControl: "max-age=60"]
    headers[.eTag] = tag
    return CachedResponse.Record(
      head: ResponseHead(status: .partialContent, headers: headers), url: URL(fileURLWithPath: "/"),
      requestTime: CacheRig.start, responseTime: CacheRig.start,
      part: .init(bytes: bytes, total: 100))
  }

  private func combined(
    _ new: Range<Int64>, with old: Range<Int64>, tag: String? = "\"a\"", oldTag: String? = "\"a\""
  ) -> CombinedPart? {
    let body = ResponseBody(bytes: ByteBuffer(repeating: 0, count: old.count))
    return CombinedPart(
      record(new, tag: tag), with: CachedResponse(record(old, tag: oldTag), body: body))
  }

  @Test(
    arguments: [
      (0..<5, 5..<8, 0..<8), (5..<8, 0..<5, 0..<8), (0..<5, 4..<8, 0..<8), (4..<8, 0..<5, 0..<8),
      (2..<3, 0..<9, 0..<9), (0..<9, 2..<3, 0..<9), (0..<4, 5..<8, nil), (5..<8, 0..<4, nil),
    ] as [(Range<Int64>, Range<Int64>, Range<Int64>?)])
  func `parts are combined that touch or overlap`(
    new: Range<Int64>, old: Range<Int64>, both: Range<Int64>?
  ) {
    #expect(combined(new, with: old)?.record.part?.bytes == both)
  }

  @Test(
    arguments: [
      (0..<8, 0..<5, 0, 0), (1..<8, 0..<5, 1, 0), (3..<8, 0..<5, 3, 0), (0..<7, 0..<8, 0, 1),
      (0..<5, 0..<8, 0, 3), (2..<5, 0..<8, 2, 3), (2..<8, 0..<8, 2, 0), (0..<8, 2..<5, 0, 0),
      (5..<8, 0..<5, 5, 0),
    ] as [(Range<Int64>, Range<Int64>, Int, Int)])
  func `what is stored before and behind the bytes that arrive is kept`(
    new: Range<Int64>, old: Range<Int64>, before: Int, after: Int
  ) throws {
    let part = try #require(combined(new, with: old))
    #expect(part.before?.bytes?.readableBytes == (before == 0 ? nil : before))
    #expect(part.after?.bytes?.readableBytes == (after == 0 ? nil : after))
  }

  @Test(arguments: [("\"a\"", "\"b\""), ("W/\"a\"", "W/\"a\""), (nil, nil), ("\"a\"", nil)])
  func `parts that may belong to different bodies are not combined`(tag: String?, oldTag: String?) {
    #expect(combined(5..<8, with: 0..<5, tag: tag, oldTag: oldTag) == nil)
    // Any number of bytes takes the place of another body.
    let new = CombinedPart(record(5..<8, tag: tag), inPlaceOf: record(0..<5, tag: oldTag))
    #expect(new.storedCount == 0)
  }
}

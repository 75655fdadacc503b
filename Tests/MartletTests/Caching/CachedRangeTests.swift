import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import SpecificationCoverage
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Ranges that stored responses answer, and bodies that are completed by ranges (RFC 9111 §3.3, §3.4).
@Suite(.timeLimit(.minutes(5)))
struct CachedRangeTests {
  private static let whole = "0123456789"

  /// A server of ten bytes that answers ranges, with a tag.
  private static func rig(tag: @escaping @Sendable (Int) -> String = { _ in "\"a\"" }) -> CacheRig {
    CacheRig { request, number in
      let tag = tag(number)
      var fields: HTTPFields = [
        .cacheControl: "max-age=60", .eTag: tag, .contentType: "text/plain",
      ]
      let range = request.headers[.range].flatMap { ByteRange($0) }
      let isSame = request.headers[.ifRange].map { $0 == tag } ?? true
      guard let range, isSame else {
        fields[.contentLength] = "10"
        return .reply(200, fields, whole, to: request)
      }
      let bytes = range.bytes(of: 10)
      guard !bytes.isEmpty else {
        return .reply(416, [.contentRange: "bytes */10"], to: request)
      }
      fields[.contentLength] = "\(bytes.count)"
      fields[.contentRange] = "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/10"
      let text = Array(whole)[Int(bytes.lowerBound)..<Int(bytes.upperBound)]
      return .reply(206, fields, String(text), to: request)
    }
  }

  @Test(
    .covers("9111-3.3-d"),
    arguments: [
      ("bytes=2-4", 206, "234", "bytes 2-4/10"), ("bytes=7-", 206, "789", "bytes 7-9/10"),
      ("bytes=-3", 206, "789", "bytes 7-9/10"), ("bytes=0-99", 206, whole, "bytes 0-9/10"),
      ("bytes=-99", 206, whole, "bytes 0-9/10"), ("bytes=10-", 416, "", "bytes */10"),
      ("bytes=-0", 416, "", "bytes */10"),
    ])
  func `a whole body answers a range (RFC 9110 §14·2)`(
    range: String, status: Int, body: String, field: String
  ) async throws {
    let rig = Self.rig()
    try await rig.send()
    let response = try await rig.send(.get, "/", [.range: range])
    #expect(response.status.code == status)
    #expect(response.body.bytes == ByteBuffer(string: body))
    #expect(response.headers[.contentRange] == field)
    #expect(response.headers[.contentLength] == "\(body.utf8.count)")
    #expect(rig.sent.current.count == 1)
  }

  @Test(
    .covers("9111-4.3.2-f"),
    arguments: [
      ("\"a\"", 206), ("\"b\"", 200), ("W/\"a\"", 200), ("Sat, 05 Nov 1994 08:49:37 GMT", 200),
    ])
  func `the range is for the body that the caller knows (RFC 9110 §13·1·5)`(
    condition: String, status: Int
  ) async throws {
    let rig = Self.rig()
    try await rig.send()
    let response = try await rig.send(.get, "/", [.range: "bytes=2-4", .ifRange: condition])
    #expect(response.status.code == status)
    #expect(rig.sent.current.count == 1)
  }

  @Test(arguments: ["bytes=0-1,4-5", "lines=1-2", "bytes=4-2", "bytes=x-"])
  func `several ranges and unknown ones are for the server`(range: String) async throws {
    let rig = Self.rig()
    try await rig.send()
    try await rig.send(.get, "/", [.range: range])
    #expect(rig.sent.current.count == 2)
    #expect(rig.lastHeaders[.range] == range)
  }

  @Test(.covers("9111-3.3-c", "9111-3.3-d"))
  func `a part is stored, and answers ranges within it (§3·3)`() async throws {
    let rig = Self.rig()
    #expect(try await rig.get("/", [.range: "bytes=2-6"]) == "23456")
    let part = try await rig.send(.get, "/", [.range: "bytes=3-5"])
    #expect(part.body.bytes == ByteBuffer(string: "345"))
    #expect(part.headers[.contentRange] == "bytes 3-5/10")
    #expect(rig.sent.current.count == 1)
    #expect(try await rig.get("/", [.range: "bytes=5-8"]) == "5678")
    #expect(rig.sent.current.count == 2)
    let head = try await rig.send(.head)
    #expect(head.status == .ok && head.headers[.contentLength] == "10")
  }

  @Test func `parts with the same tag are combined (§3·4)`() async throws {
    let rig = Self.rig()
    #expect(try await rig.get("/", [.range: "bytes=4-6"]) == "456")
    #expect(try await rig.get("/", [.range: "bytes=6-8"]) == "678")
    #expect(try await rig.get("/", [.range: "bytes=0-4"]) == "01234")
    #expect(rig.sent.current.count == 3)
    #expect(try await rig.get("/", [.range: "bytes=0-8"]) == "012345678")
    #expect(rig.sent.current.count == 3)
    // What is missing is requested, and the whole is stored.
    #expect(try await rig.get() == Self.whole)
    #expect(rig.lastHeaders[.range] == "bytes=9-" && rig.lastHeaders[.ifRange] == "\"a\"")
    #expect(try await rig.get() == Self.whole)
    #expect(rig.sent.current.count == 4)
  }

  @Test(.covers("9111-3.4-a"))
  func `parts with different tags are not combined (§3·4)`() async throws {
    let rig = Self.rig { $0 < 2 ? "\"a\"" : "\"b\"" }
    #expect(try await rig.get("/", [.range: "bytes=0-4"]) == "01234")
    #expect(try await rig.get("/", [.range: "bytes=5-6"]) == "56")
    #expect(try await rig.get("/", [.range: "bytes=0-6"]) == "0123456")
    #expect(rig.sent.current.count == 3)
  }

  @Test func `a beginning whose resource has changed is replaced (§3·3)`() async throws {
    let rig = Self.rig { $0 < 2 ? "\"a\"" : "\"b\"" }
    #expect(try await rig.get("/", [.range: "bytes=0-4"]) == "01234")
    let response = try await rig.send()
    #expect(response.status == .ok && response.body.bytes == ByteBuffer(string: Self.whole))
    #expect(rig.sent.current.count == 2)
    #expect(try await rig.get() == Self.whole)
    #expect(rig.sent.current.count == 2)
  }

  @Test(
    arguments: [
      (["2"], MartletError.Code.bodyTruncated), (["2", "34"], .bodyLengthMismatch),
      (["23", "4"], .bodyLengthMismatch), ([], .bodyTruncated), (["2", "3"], nil),
    ] as [([String], MartletError.Code?)])
  func `an end with more or fewer bytes than its range fails, and is not stored as whole (§3·4)`(
    chunks: [String], code: MartletError.Code?
  ) async throws {
    let rig = CacheRig { request, number in
      var fields: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"a\""]
      guard number < 3 else { return .reply(200, fields, "ABCD", to: request) }
      fields[.contentRange] = number == 1 ? "bytes 0-1/4" : "bytes 2-3/4"
      guard number == 2 else { return .reply(206, fields, "01", to: request) }
      return Response(
        head: ResponseHead(status: .partialContent, headers: fields), url: request.url,
        body: ResponseBody(stream: BodyChunks(chunks)))
    }
    try await rig.send(.get, "/", [.range: "bytes=0-1"])
    do {
      let body = try await rig.get()
      #expect(body == "0123" && code == nil)
    } catch {
      #expect(code != nil && (error as? MartletError)?.code == code)
    }
    let next = try await rig.send()
    #expect(next.cacheStatus?.isHit == (code == nil))
  }

  @Test(arguments: [["2", "34"], []])
  func `a part whose end fails does not let the next request fail`(chunks: [String]) async throws {
    let rig = CacheRig { request, number in
      var fields: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"a\""]
      guard request.headers.contains(.range) else {
        return .reply(200, fields, "0123", to: request)
      }
      fields[.contentRange] = number == 1 ? "bytes 0-1/4" : "bytes 2-3/4"
      guard number > 1 else { return .reply(206, fields, "01", to: request) }
      return Response(
        head: ResponseHead(status: .partialContent, headers: fields), url: request.url,
        body: ResponseBody(stream: BodyChunks(chunks)))
    }
    try await rig.send(.get, "/", [.range: "bytes=0-1"])
    _ = await failure { try await rig.get() }
    await rig.finish()
    #expect(try await rig.get() == "0123")
  }

  @Test func `an end that is not used is not waited for`() async throws {
    let stalled = CollapsedRequestTests.StalledBody()
    let rig = CacheRig { request, number in
      var fields: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"\(number)\""]
      guard number < 3 else { return .reply(200, fields, "0123", to: request) }
      fields[.contentRange] = number == 1 ? "bytes 0-1/4" : "bytes 2-3/4"
      return Response(
        head: ResponseHead(status: .partialContent, headers: fields), url: request.url,
        body: number == 1
          ? ResponseBody(bytes: ByteBuffer(string: "01")) : ResponseBody(stream: stalled))
    }
    try await rig.send(.get, "/", [.range: "bytes=0-1"])
    var request = try Request("http://h/")
    request.delivery = .stream
    #expect(try await rig.send(request).body.collect() == ByteBuffer(string: "0123"))
    #expect(stalled.isAbandoned.current && !stalled.isWaiting.current)
  }

  @Test func `an end that the server calls not modified is requested as a whole (§4·3·2)`()
    async throws
  {
    let rig = CacheRig(
      answering: (206, [.contentRange: "bytes 0-0/2", .eTag: "\"a\"", .cacheControl: "max-age=9"]),
      (304, [.eTag: "\"a\""]), (200, [:]))
    try await rig.send(.get, "/", [.range: "bytes=0-0"])
    let response = try await rig.send()
    #expect(response.status == .ok && response.body.bytes == ByteBuffer(string: "3"))
    // A condition of the caller is left to the server.
    try await rig.send(.get, "/", [.ifNoneMatch: "\"b\""])
    #expect(rig.lastHeaders[.range] == nil)
  }

  @Test(arguments: [416, 206])
  func `an end that does not fit is requested as a whole (§3·4)`(status: Int) async throws {
    let rig = CacheRig { request, number in
      let fields: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"a\""]
      var part = fields
      part[.contentRange] = number == 1 ? "bytes 0-1/4" : "bytes 3-3/4"
      switch number {
      case 1: return .reply(206, part, "01", to: request)
      case 2: return .reply(status, part, "3", to: request)
      default: return .reply(200, fields, "0123", to: request)
      }
    }
    try await rig.send(.get, "/", [.range: "bytes=0-1"])
    #expect(try await rig.get() == "0123")
    #expect(rig.sent.current.map { $0.headers[.range] } == ["bytes=0-1", "bytes=2-", nil])
  }

  @Test(
    arguments: [
      ([.eTag: "\"a\""], 2), ([.eTag: "\"b\""], 3), ([.eTag: "W/\"a\""], 3), ([:], 3),
      ([.eTag: "\"a\"", .contentEncoding: "gzip"], 3),
      ([.eTag: "\"a\"", .contentLength: "1"], 3),
    ] as [(HTTPFields, Int)])
  func `only an end with the same tag and the same coding completes a body (§3·4)`(
    fields: HTTPFields, count: Int
  ) async throws {
    let rig = CacheRig { request, number in
      switch number {
      case 1: return .reply(206, [.contentRange: "bytes 0-1/4", .eTag: "\"a\""], "01", to: request)
      case 2:
        var fields = fields
        fields[.contentRange] = "bytes 2-3/4"
        return .reply(206, fields, "23", to: request)
      default: return .reply(200, [:], "0123", to: request)
      }
    }
    try await rig.send(.get, "/", [.range: "bytes=0-1"])
    #expect(try await rig.get() == "0123")
    #expect(rig.sent.current.count == count)
    #expect(rig.lastHeaders[.range] == (count == 2 ? "bytes=2-" : nil))
  }

  @Test func `a completed body is a new response with an identity of its own`() async throws {
    let rig = Self.rig()
    try await rig.send(.get, "/", [.range: "bytes=0-4"])
    let part = try await rig.stored()
    #expect(part.map(\.record.part) == [.init(bytes: 0..<5, total: 10)])
    #expect(try await rig.get() == Self.whole)
    let whole = try await rig.stored()
    #expect(whole.map(\.record.part) == [nil])
    #expect(part.first?.record.id != whole.first?.record.id)
  }

  @Test func `an end with no-store is delivered, and leaves the stored part (§5·2·2·5)`()
    async throws
  {
    let rig = CacheRig { request, number in
      let (range, control) = number == 1 ? ("0-1", "max-age=60") : ("2-3", "max-age=60, no-store")
      return .reply(
        206, [.contentRange: "bytes \(range)/4", .eTag: "\"a\"", .cacheControl: control],
        number == 1 ? "01" : "23", to: request)
    }
    try await rig.send(.get, "/", [.range: "bytes=0-1"])
    let whole = try await rig.send()
    #expect(whole.body.bytes == ByteBuffer(string: "0123") && whole.cacheStatus?.isStored == false)
    #expect(try await rig.stored().map(\.record.part) == [.init(bytes: 0..<2, total: 4)])
    #expect(rig.statistics().stored == 1)
  }

  @Test func `a part that has all bytes is stored as the whole body (§3·3)`() async throws {
    let rig = Self.rig()
    #expect(try await rig.send(.get, "/", [.range: "bytes=0-99"]).status == .partialContent)
    #expect(try await rig.stored().map(\.record.part) == [nil])
    let whole = try await rig.send()
    #expect(whole.status == .ok && whole.body.bytes == ByteBuffer(string: Self.whole))
    #expect(whole.headers[.contentRange] == nil && whole.headers[.contentLength] == "10")
    #expect(rig.sent.current.count == 1)
  }

  @Test func `a part of a compressed body is only for callers that decode it (RFC 9110 §14·2)`()
    async throws
  {
    let rig = CacheRig(
      answering: (
        200, [.cacheControl: "max-age=60", .contentEncoding: "gzip", .contentLength: "1"]
      ),
      (206, [.contentRange: "bytes 0-0/9"]))
    try await rig.send(.get, "/", [.acceptEncoding: "gzip"])
    #expect(try await rig.get("/", [.range: "bytes=0-0", .acceptEncoding: "gzip"]) == "1")
    #expect(rig.sent.current.count == 1)
    #expect(try await rig.get("/", [.range: "bytes=0-0"]) == "2")
    #expect(rig.lastHeaders[.range] == "bytes=0-0")
  }
}

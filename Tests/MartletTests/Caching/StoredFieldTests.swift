import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import NIOCore
import SpecificationCoverage
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Which fields are stored with a response, and how they are updated (RFC 9111 §3.1, §3.2, §3.4).
@Suite(.timeLimit(.minutes(5)))
struct StoredFieldTests {
  @Test(.covers("9111-3.1-a", "9111-5.2.2.7-b"), arguments: [true, false])
  func `fields for one user are stored by a cache for one user only (§3·1, §5·2·2·7)`(
    isShared: Bool
  ) async throws {
    var options = CacheOptions()
    options.mode = isShared ? .shared : .private
    let fields = try HTTPFields(validating: [
      "Cache-Control": "private=\"x-user, X-Token\", max-age=60", "X-User": "ada", "X-Token": "1",
      "X-Unknown": "2",
    ])
    let rig = CacheRig(options, answering: (200, fields))
    #expect(try await rig.send().headers[values: "X-User"] == ["ada"])
    let hit = try await rig.send()
    #expect(hit.cacheStatus?.isHit == true)
    #expect(hit.headers[values: "X-Unknown"] == ["2"])
    #expect(hit.headers[values: "X-User"] == (isShared ? [] : ["ada"]))
    #expect(hit.headers[values: "X-Token"] == (isShared ? [] : ["1"]))
  }

  @Test(.covers("9111-5.2.2.7-b"))
  func `nor does a shared cache store them when they are confirmed (§5·2·2·7)`() async throws {
    var options = CacheOptions()
    options.mode = .shared
    let confirmation = try HTTPFields(validating: [
      "ETag": "\"a\"", "Cache-Control": "private=x-user, max-age=60", "X-User": "ada",
    ])
    let rig = CacheRig(options, answering: (200, [.eTag: "\"a\""]), (304, confirmation))
    try await rig.send()
    try await rig.send()
    let hit = try await rig.send()
    #expect(hit.cacheStatus?.isHit == true)
    #expect(hit.headers[values: "X-User"].isEmpty)
  }

  @Test(
    .covers("9111-3.1-b"),
    arguments: ["Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization"])
  func `fields of a proxy are not stored (§3·1)`(name: String) throws {
    let headers = try HTTPFields(validating: [name: "x", "ETag": "\"a\""])
    #expect(headers.storable == [.eTag: "\"a\""])
  }

  @Test(
    arguments: [
      ("Connection", "Cache-Control", "no-cache"), ("Connection", "Expires", nil),
      ("Cache-Control", "no-cache=\"Cache-Control\", max-age=0, must-revalidate", nil),
      ("Cache-Control", "max-age=60, no-cache=\"Location\"", nil),
      ("Cache-Control", "max-age=60, no-cache=\"X-Any, content-encoding\"", nil),
    ] as [(String, String, String?)])
  func `a field that decides on the use of a response is not left out (RFC 9110 §7·6·1, §5·2·2·4)`(
    name: String, value: String, control: String?
  ) async throws {
    var fields: HTTPFields = [
      .lastModified: "Sat, 05 Nov 1993 08:49:37 GMT", .expires: "0", .contentEncoding: "x",
    ]
    fields[.cacheControl] = control
    try fields.append(name: name, value: value)
    let rig = CacheRig(answering: (200, fields))
    #expect(try await rig.get() == "1")
    #expect(try await rig.get() == "2")
    #expect(try await rig.stored().first?.head.headers[.contentEncoding] == "x")
  }

  @Test(.covers("9111-3.1-c")) func `trailers are not combined with fields (§3·1)`() async throws {
    let rig = CacheRig { request, _ in
      let completion = ResponseBody.Completion(trailers: [.eTag: "\"a\"", .expires: "0"])
      return Response(
        head: ResponseHead(status: .ok, headers: [.cacheControl: "max-age=60"]), url: request.url,
        body: ResponseBody(bytes: ByteBuffer(string: "tern"), completion: completion))
    }
    #expect(try await rig.send().trailers?[.eTag] == "\"a\"")
    let hit = try await rig.send()
    #expect(hit.cacheStatus?.isHit == true)
    #expect(hit.headers[.eTag] == nil && hit.headers[.expires] == nil)
  }

  @Test(.covers("9111-3.2-a", "9111-3.2-c"))
  func `only the fields that describe the stored bytes are not updated (§3·2)`() async throws {
    let confirmation: HTTPFields = [
      .eTag: "\"a\"", .contentType: "text/html", .contentLanguage: "en", .contentEncoding: "br",
      .contentLength: "0", .cacheControl: "max-age=60",
    ]
    let rig = CacheRig(
      answering: (
        200,
        [
          .eTag: "\"a\"", .contentType: "text/plain", .contentEncoding: "gzip", .contentLength: "1",
        ]
      ), (304, confirmation))
    try await rig.send()
    try await rig.send()
    let hit = try await rig.send()
    #expect(hit.cacheStatus?.isHit == true)
    #expect(hit.headers[.contentType] == "text/html" && hit.headers[.contentLanguage] == "en")
    #expect(hit.headers[.contentEncoding] == "gzip" && hit.headers[.contentLength] == "1")
  }

  @Test(.covers("9111-3.2-b", "9111-5.2.2.4-b"))
  func `fields that the stored response excludes are not added later (§3·2, §5·2·2·4)`()
    async throws
  {
    let token = try HTTPFields(validating: ["ETag": "\"a\"", "X-Token": "2"])
    let stored: HTTPFields = [
      .eTag: "\"a\"", .cacheControl: "no-cache=\"X-Token\", max-age=5",
    ]
    let rig = CacheRig(answering: (200, stored), (304, token))
    try await rig.send()
    rig.wait(10)
    try await rig.send()
    let hit = try await rig.send()
    #expect(hit.cacheStatus?.isHit == true)
    #expect(hit.headers[values: "X-Token"].isEmpty)
  }

  @Test(.covers("9111-3.4-b"))
  func `a new part updates the fields of the stored one (§3·4)`() async throws {
    let rig = CacheRig { request, number in
      let fields = HTTPFields([
        HTTPField(name: .eTag, value: "\"a\""),
        HTTPField(name: .cacheControl, value: "max-age=60"),
        HTTPField(name: .contentRange, value: number == 1 ? "bytes 0-1/5" : "bytes 2-3/5"),
        HTTPField(name: .server, value: "\(number)"),
        HTTPField(name: number == 1 ? .contentLanguage : .via, value: "x"),
      ])
      return .reply(206, fields, number == 1 ? "01" : "23", to: request)
    }
    try await rig.send(.get, "/", [.range: "bytes=0-1"])
    try await rig.send(.get, "/", [.range: "bytes=2-3"])
    let both = try await rig.send(.get, "/", [.range: "bytes=0-3"])
    #expect(both.cacheStatus?.isHit == true)
    #expect(both.body.bytes == ByteBuffer(string: "0123"))
    #expect(both.headers[.contentRange] == "bytes 0-3/5")
    #expect(both.headers[.server] == "2")
    #expect(both.headers[.contentLanguage] == "x" && both.headers[.via] == "x")
    #expect(try await rig.send(.head).headers[.contentLength] == "5")
  }

  @Test(.covers("9111-3.3-a"), arguments: ["lines 0-1/9", "bytes */9", "bytes 0-1", "0-1/9"])
  func `a part in units that the cache does not know is not stored (§3·3)`(range: String)
    async throws
  {
    let rig = CacheRig(
      answering: (206, [.eTag: "\"a\"", .cacheControl: "max-age=60", .contentRange: range]))
    for _ in 0..<2 { try await rig.send(.get, "/", [.range: "bytes=0-1"]) }
    #expect(rig.sent.current.count == 2 && rig.statistics().stored == 0)
  }
}

extension HTTPFields {
  /// The values of the fields with a name.
  fileprivate subscript(values name: String) -> [String] {
    HTTPField.Name(name).map { self[values: $0] } ?? []
  }

  @Test(arguments: ["max-age=60, no-cache=\"etag\"", "max-age=60, x=\u{5}", "max-age=60"])
  func `a record is the same after it was stored as bytes (§3·1)`(control: String) async throws {
    var fields: HTTPFields = [.eTag: "\"a\"", .connection: "keep-alive"]
    fields.append(HTTPField(name: .cacheControl, lenientValue: control.utf8))
    let rig = CacheRig(answering: (200, fields))
    try await rig.send()
    let stored = try await rig.cache.responses(for: CacheKey(try Request("http://h/")))
    let record = try #require(stored.first?.record)
    #expect(record.head.headers[.cacheControl] == control)
    #expect(CachedResponse.Record(serialized: record.serialized) == record)
  }
}

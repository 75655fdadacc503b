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

/// Several stored responses for one URL (RFC 9111 §4.1), and those that become invalid (§4.4).
@Suite(.timeLimit(.minutes(5)))
struct VariantTests {
  @Test(.covers("9111-4.3.4-c"))
  func `a confirmation by a strong tag is one for all variants that have it (§4·3·4)`()
    async throws
  {
    let fields: HTTPFields = [
      .vary: "Accept-Language", .eTag: "\"a\"", .cacheControl: "max-age=10",
    ]
    let rig = CacheRig(answering: (200, fields), (200, fields), (304, fields), (200, fields))
    #expect(try await rig.get("/", [.acceptLanguage: "en"]) == "1")
    #expect(try await rig.get("/", [.acceptLanguage: "de"]) == "2")
    rig.wait(20)
    #expect(try await rig.get("/", [.acceptLanguage: "en"]) == "1")
    #expect(try await rig.get("/", [.acceptLanguage: "de"]) == "2")
    #expect(rig.sent.current.count == 3)
  }

  @Test(
    .covers("9111-4-c", "9111-4.1-a", "9111-4.1-b", "9111-4.1-c"),
    arguments: [
      ("en, de", "en,de", true), ("en , de", "EN, de", true), ("en, de", "de, en", false),
      ("en", "en, de", false), ("en", "", false),
    ])
  func `values with the same meaning are equal (§4·1)`(first: String, second: String, isEqual: Bool)
    async throws
  {
    let rig = CacheRig(answering: (200, [.cacheControl: "max-age=60", .vary: "accept-language"]))
    #expect(try await rig.get("/", [.acceptLanguage: first]) == "1")
    let headers: HTTPFields = second.isEmpty ? [:] : [.acceptLanguage: second]
    #expect(try await rig.get("/", headers) == (isEqual ? "1" : "2"))
  }

  @Test(.covers("9111-4.1-b"))
  func `a field on several lines is one list (§4·1)`() async throws {
    let rig = CacheRig(answering: (200, [.cacheControl: "max-age=60", .vary: "X-List"]))
    #expect(try await rig.get("/", HTTPFields(validating: ["X-List": "a", "X-List": "b"])) == "1")
    #expect(try await rig.get("/", HTTPFields(validating: ["X-List": "a, b"])) == "1")
    #expect(try await rig.get("/", HTTPFields(validating: ["X-List": "A, b"])) == "2")
  }

  @Test(
    .covers("9111-4.1-c"),
    arguments: [
      ("Accept", "", nil), ("Accept-Language", " ", nil), ("X-Any", "", nil),
      ("Accept", "text/x;a=B", "text/x;a=b"), ("X-Any", "a,,b", "a,b"), ("X-Any", "a, b", "a,b"),
    ] as [(String, String, String?)])
  func `what may have another meaning is not equal (§4·1)`(
    name: String, first: String, second: String?
  ) async throws {
    let rig = CacheRig(answering: (200, [.cacheControl: "max-age=60", .vary: name]))
    let field = try #require(HTTPField.Name(name))
    let other: HTTPFields = second.map { [field: $0] } ?? [:]
    #expect(try await rig.get("/", [field: first]) == "1")
    #expect(try await rig.get("/", other) == "2")
    #expect(try await rig.get("/", [field: first]) == "1")
    #expect(try await rig.get("/", other) == "2")
  }

  @Test(
    arguments: [
      ("Accept", "TEXT/html;q=1", "text/html;q=1"), ("X-Key", "secret", nil),
      ("User-Agent", "Tern/1", "Tern/1"),
    ] as [(String, String, String?)])
  func `values that may be secrets are stored as digests`(
    name: String, value: String, stored: String?
  ) async throws {
    let rig = CacheRig(answering: (200, [.cacheControl: "max-age=60", .vary: name]))
    let field = try #require(HTTPField.Name(name))
    try await rig.send(.get, "/", [field: value])
    let kept = try await rig.stored().first?.varyHeaders[field]?.first
    #expect(stored == nil ? kept?.utf8.count == 64 : kept == stored)
  }

  @Test(arguments: ["Accept", nil] as [String?])
  func `a response takes the place of those that depend on other fields (§4·1)`(vary: String?)
    async throws
  {
    let rig = CacheRig { request, number in
      var fields: HTTPFields = [.cacheControl: "max-age=10"]
      fields[.vary] = number < 3 ? "Accept-Language" : vary
      return .reply(200, fields, "\(number)", to: request)
    }
    let (german, english): (HTTPFields, HTTPFields) = (
      [.acceptLanguage: "de"], [.acceptLanguage: "en"]
    )
    #expect(try await rig.get("/", german) == "1")
    #expect(try await rig.get("/", english) == "2")
    rig.wait(20)
    #expect(try await rig.get("/", german) == "3")
    #expect(try await rig.get("/", german) == "3")
    // What is for another request stays, and may be confirmed.
    #expect(try await rig.stored().count == 2)
  }

  @Test func `of several that match, the most recent one is used (§4·1)`() async throws {
    // The server has changed its mind about what the response depends on.
    let rig = CacheRig(
      answering: (200, [.cacheControl: "max-age=60", .vary: "Accept"]),
      (200, [.cacheControl: "max-age=60", .vary: "Accept-Language"]))
    let (html, german): (HTTPFields, HTTPFields) = ([.accept: "text/html"], [.acceptLanguage: "de"])
    #expect(try await rig.get("/", html) == "1")
    rig.wait(1)
    #expect(try await rig.get("/", german) == "2")
    #expect(try await rig.get("/", [.accept: "text/html", .acceptLanguage: "de"]) == "2")
    #expect(try await rig.get("/", html) == "1")
  }

  @Test(.covers("9111-4.1-d"))
  func `what depends on more than fields is never stored (§4·1)`() async throws {
    let rig = CacheRig(answering: (200, [.cacheControl: "max-age=60", .vary: "*"]))
    #expect(try await rig.get() == "1")
    #expect(try await rig.get() == "2")
  }

  @Test func `a cache in memory keeps a limited number of variants`() async throws {
    let cache = MemoryResponseCache()
    let rig = CacheRig(cache, CacheOptions()) { request, number in
      .reply(200, [.cacheControl: "max-age=60", .vary: "Accept"], "\(number)", to: request)
    }
    for number in 1...100 { try await rig.send(.get, "/", [.accept: "text/\(number)"]) }
    #expect(cache.responses(for: try CacheKey(Request("http://h/"))).count == 64)
    #expect(try await rig.get("/", [.accept: "text/100"]) == "100")
    #expect(try await rig.get("/", [.accept: "text/1"]) == "101")
  }

  // MARK: Invalidation (§4.4)

  @Test(
    .covers("9111-4.4-a"),
    arguments: [
      (HTTPRequest.Method.post, 200, true), (.put, 204, true), (.delete, 302, true),
      (.patch, 200, true), (.post, 404, false), (.post, 500, false), (.head, 200, false),
      (.options, 200, false), (.trace, 200, false),
    ])
  func `a successful unsafe request makes stored responses invalid (§4·4)`(
    method: HTTPRequest.Method, status: Int, isInvalid: Bool
  ) async throws {
    let rig = CacheRig { request, number in
      request.method == .get
        ? .reply(200, [.cacheControl: "max-age=60", .eTag: "\"a\""], "\(number)", to: request)
        : .reply(status, [.eTag: "\"a\""], to: request)
    }
    for user in ["a", "b"] { try await rig.send(.get, "/", [.cookie: user]) }
    try await rig.send(method)
    for (user, body) in [("a", "1"), ("b", "2")] {
      let found = try await rig.get("/", [.cookie: user])
      #expect((found != body) == isInvalid)
    }
  }

  @Test(
    .covers("9111-4.4-b"),
    arguments: [
      (HTTPField.Name.location, "/b", true), (.contentLocation, "http://h/b", true),
      (.contentLocation, "b?x", false), (.location, "http://other/b", false),
      (.location, "https://h/b", false), (.location, "http://h:81/b", false),
      (.location, "http://[", false),
    ])
  func `so do the URLs that its response names, if they have the same origin (§4·4)`(
    name: HTTPField.Name, location: String, isInvalid: Bool
  ) async throws {
    let rig = CacheRig { request, number in
      .reply(
        200, request.method == .post ? [name: location] : [.cacheControl: "max-age=60"],
        "\(number)", to: request)
    }
    #expect(try await rig.get("/b") == "1")
    var other = try Request("http://other/b")
    try await rig.send(other)
    try await rig.send(.post, "/a")
    #expect(try await rig.get("/b") == (isInvalid ? "4" : "1"))
    other.headers[.cacheControl] = "only-if-cached"
    #expect(try await rig.send(other).body.bytes == ByteBuffer(string: "2"))
  }

  @Test(arguments: [
    ("Accept-Language", false), ("Accept, accept-language", false), ("Accept", true),
  ])
  func `a response that depends on a field that was added below the cache is not stored (§4·1)`(
    vary: String, isStored: Bool
  ) async throws {
    let german = FieldInterceptor(field: HTTPField(name: .acceptLanguage, value: "de"))
    let rig = CacheRig(
      below: [german], answering: (200, [.cacheControl: "max-age=60", .vary: vary]))
    #expect(try await rig.get() == "1")
    #expect(rig.lastHeaders[.acceptLanguage] == "de")
    #expect(try await rig.get() == (isStored ? "1" : "2"))
  }

  @Test(arguments: [("\"en\"", true), ("W/\"en\"", false)])
  func `the server is asked about a variant that does not match only by a strong tag (§4·3·1)`(
    tag: String, isOffered: Bool
  ) async throws {
    let rig = CacheRig(
      answering: (
        200,
        [
          .cacheControl: "max-age=60", .vary: "Accept-Language", .eTag: tag,
          .lastModified: "Sat, 05 Nov 1994 08:49:37 GMT",
        ]
      ))
    try await rig.send(.get, "/", [.acceptLanguage: "en"])
    try await rig.send(.get, "/", [.acceptLanguage: "de"])
    #expect(rig.lastHeaders[.ifNoneMatch] == (isOffered ? tag : nil))
    #expect(rig.lastHeaders[.ifModifiedSince] == nil)
  }

  @Test(arguments: [[:], [.lastModified: modified], [.eTag: "W/\"a\""]] as [HTTPFields])
  func `a variant that is not selected is confirmed by its strong tag only (§4·3·1, §4·3·4)`(
    confirmation: HTTPFields
  ) async throws {
    let rig = CacheRig { request, number in
      if request.headers.contains(.ifModifiedSince) || request.headers.contains(.ifNoneMatch) {
        return .reply(304, confirmation, to: request)
      }
      let isGerman = request.headers[.acceptLanguage] == "de"
      let fields: HTTPFields =
        isGerman
        ? [.cacheControl: "max-age=0", .vary: "Accept-Language"]
        : [
          .cacheControl: "max-age=60", .vary: "Accept-Language", .eTag: "\"a\"",
          .lastModified: Self.modified,
        ]
      return .reply(200, fields, "\(number)", to: request)
    }
    #expect(try await rig.get("/", [.acceptLanguage: "en"]) == "1")
    rig.wait(1)
    #expect(try await rig.get("/", [.acceptLanguage: "de"]) == "3")
    rig.wait(1)
    #expect(try await rig.get("/", [.acceptLanguage: "de"]) == "5")
    #expect(rig.sent.current.allSatisfy { !$0.headers.contains(.ifModifiedSince) })
  }

  private static let modified = "Sat, 05 Nov 1994 08:49:37 GMT"

  @Test func `the tags in a request have a limited length`() async throws {
    let tag = "\"" + String(repeating: "a", count: 500)
    let rig = CacheRig { request, number in
      let length = request.headers[.ifNoneMatch]?.utf8.count ?? 0
      guard length < 2100 else { return .reply(431, [:], "refused", to: request) }
      return .reply(
        200, [.cacheControl: "max-age=60", .vary: "Accept", .eTag: "\(tag)\(number)\""],
        "\(number)", to: request)
    }
    for number in 1...9 {
      #expect(try await rig.get("/", [.accept: "text/\(number)"]) == "\(number)")
    }
    #expect(rig.lastHeaders[.ifNoneMatch]?.utf8.count ?? 0 > 1500)
  }

  @Test(arguments: [400, 412, 413, 431])
  func `a condition that the server refuses is left out`(status: Int) async throws {
    let rig = CacheRig(
      answering: (200, [.cacheControl: "max-age=0", .eTag: "\"a\""]), (status, [:]), (200, [:]),
      (status, [:]))
    #expect(try await rig.get() == "1")
    #expect(try await rig.get() == "3")
    #expect(rig.lastHeaders[.ifNoneMatch] == nil)
    // Without a condition, it is the answer.
    #expect(try await rig.send(.get, "/other").status.code == status)
    #expect(rig.sent.current.count == 4)
  }

  @Test(arguments: [
    (200, true), (404, true), (403, true), (503, false), (429, false), (401, false),
  ])
  func `a newer response that may not be stored outdates the stored one, unless it may pass`(
    status: Int, isOutdated: Bool
  ) async throws {
    let rig = CacheRig(
      answering: (200, [.cacheControl: "max-age=60"]), (status, [.cacheControl: "no-store"]),
      (200, [:]))
    #expect(try await rig.get() == "1")
    try await rig.send(.get, "/", policy: .reloadIgnoringLocalCacheData)
    #expect(try await rig.get() == (isOutdated ? "3" : "1"))
  }

  @Test func `the response to HEAD freshens only the variant that the request selects (§4·3·5)`()
    async throws
  {
    let rig = CacheRig { request, number in
      let lifetime = request.method == .head ? 60 : 5
      return .reply(
        200,
        [.vary: "Accept-Language", .eTag: "\"a\"", .cacheControl: "max-age=\(lifetime)"],
        "\(number)", to: request)
    }
    #expect(try await rig.get("/", [.acceptLanguage: "en"]) == "1")
    #expect(try await rig.get("/", [.acceptLanguage: "de"]) == "2")
    rig.wait(10)
    try await rig.send(.head, "/", [.acceptLanguage: "de", .cacheControl: "no-cache"])
    #expect(try await rig.get("/", [.acceptLanguage: "de"]) == "2")
    #expect(rig.sent.current.count == 3)
    #expect(try await rig.get("/", [.acceptLanguage: "en"]) == "4")
  }

  @Test(.covers("9111-4.3.5-a"))
  func `the response to HEAD freshens all stored responses that it could have been (§4·3·5)`()
    async throws
  {
    let rig = CacheRig { request, number in
      guard request.method == .get else {
        return .reply(200, [.eTag: "\"a\"", .cacheControl: "max-age=60"], to: request)
      }
      let vary = request.headers.contains(.accept) ? "Accept" : "Accept-Language"
      return .reply(
        200, [.vary: vary, .eTag: "\"a\"", .cacheControl: "max-age=5"], "\(number)", to: request)
    }
    // Two responses with another `Vary` each, both of which are for a request that accepts text in English.
    let both: HTTPFields = [.accept: "text/plain", .acceptLanguage: "en"]
    #expect(try await rig.get("/", [.accept: "text/plain"]) == "1")
    #expect(try await rig.get("/", [.acceptLanguage: "en", .cacheControl: "no-cache"]) == "2")
    rig.wait(10)
    try await rig.send(.head, "/", both)
    let stored = try await rig.cache.responses(for: CacheKey(try Request(.get, "http://h/")))
    #expect(stored.map { $0.head.headers[.cacheControl] } == ["max-age=60", "max-age=60"])
  }
}

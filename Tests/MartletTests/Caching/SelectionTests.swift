import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import NIOCore
import SpecificationCoverage
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Which stored response answers a request, and how old it says it is (RFC 9111 §4, §4.1).
@Suite(.timeLimit(.minutes(5)))
struct SelectionTests {
  private static let (html, german): (HTTPFields, HTTPFields) = (
    [.accept: "text/html"], [.acceptLanguage: "de"]
  )
  private static let both: HTTPFields = [.accept: "text/html", .acceptLanguage: "de"]

  @Test(
    .covers("9111-4-a"),
    arguments: ["http://h/b", "http://h/a?", "http://h/a?x", "https://h/a", "http://h:81/a"])
  func `a response answers requests for its own URL (§4)`(other: String) async throws {
    let rig = CacheRig(answering: (200, [.cacheControl: "max-age=60"]))
    try await rig.send(Request("http://h/a"))
    #expect(try await rig.send(Request(other)).cacheStatus?.forwardReason == .uriMiss)
    #expect(try await rig.send(Request("http://h/a#fragment")).cacheStatus?.isHit == true)
  }

  @Test(
    .covers("9111-4-b", "9111-4-g"),
    arguments: [HTTPRequest.Method.post, .put, .delete, .patch])
  func `an unsafe request is sent, and not answered by what is stored (§4)`(
    method: HTTPRequest.Method
  ) async throws {
    let rig = CacheRig(answering: (200, [.cacheControl: "max-age=60"]))
    try await rig.send()
    let response = try await rig.send(method)
    #expect(response.body.bytes == ByteBuffer(string: "2"))
    #expect(rig.sent.current.map(\.method) == [.get, method])
  }

  @Test(.covers("9111-4.4-a"), arguments: ["PURGE", "LOCK", "get"])
  func `a method that is not known to be safe makes stored responses invalid (§4·4)`(name: String)
    async throws
  {
    let rig = CacheRig(answering: (200, [.cacheControl: "max-age=60"]))
    try await rig.send()
    try await rig.send(#require(HTTPRequest.Method(name)))
    #expect(try await rig.get() == "3")
  }

  @Test(.covers("9111-4-h"))
  func `the most recent response is the one with the latest Date (§4)`() async throws {
    // The second response comes from another cache, and was generated before the first.
    let rig = CacheRig(
      answering: (
        200,
        [.cacheControl: "max-age=600", .vary: "Accept", .date: "Sun, 06 Nov 1994 08:49:37 GMT"]
      ),
      (
        200,
        [
          .cacheControl: "max-age=600", .vary: "Accept-Language",
          .date: "Sun, 06 Nov 1994 08:48:37 GMT",
        ]
      ))
    #expect(try await rig.get("/", Self.html) == "1")
    rig.wait(1)
    #expect(try await rig.get("/", Self.german) == "2")
    #expect(try await rig.get("/", Self.both) == "1")
  }

  @Test(.covers("9111-4-h"))
  func `without a Date, it is the one that has arrived last (§4)`() async throws {
    let rig = CacheRig(
      answering: (
        200,
        [.cacheControl: "max-age=60", .vary: "Accept", .date: "Sun, 06 Nov 1994 08:49:37 GMT"]
      ), (200, [.cacheControl: "max-age=60", .vary: "Accept-Language"]))
    try await rig.send(.get, "/", Self.html)
    rig.wait(0.5)
    try await rig.send(.get, "/", Self.german)
    #expect(try await rig.get("/", Self.both) == "2")
  }

  @Test(.covers("9111-4.1-e"))
  func `a response with Vary has precedence over the default one (§4·1)`() async throws {
    let rig = CacheRig(
      answering: (200, [.cacheControl: "max-age=60", .vary: "Accept-Language"]),
      (200, [.cacheControl: "max-age=60"]))
    #expect(try await rig.get("/", Self.german) == "1")
    rig.wait(1)
    #expect(try await rig.get() == "2")
    #expect(try await rig.get("/", Self.german) == "1")
    #expect(try await rig.get("/", [.acceptLanguage: "fi"]) == "2")
    #expect(rig.sent.current.count == 2)
  }

  @Test(.covers("9111-4-f"))
  func `the age replaces that of a cache on the way (§4)`() async throws {
    let fields = HTTPFields(["20", "30"].map { HTTPField(name: .age, value: $0) })
    let rig = CacheRig(
      answering: (200, [.cacheControl: "max-age=60"] + fields))
    #expect(try await rig.send().headers[values: .age] == ["20", "30"])
    rig.wait(5)
    let hit = try await rig.send()
    #expect(hit.headers[values: .age] == ["25"])
    #expect(hit.cacheStatus?.timeToLive == 35)
  }

  @Test(.covers("5861-3-c", "5861-4-d"), arguments: ["stale-while-revalidate", "stale-if-error"])
  func `a stale response shows its age (RFC 5861 §3, §4)`(directive: String) async throws {
    let rig = CacheRig { request, number in
      guard number == 1 else { throw MartletError(.connectionFailed, "refused") }
      return .reply(200, [.cacheControl: "max-age=5, \(directive)=60"], "1", to: request)
    }
    try await rig.send()
    rig.wait(10)
    let stale = try await rig.send()
    #expect(stale.body.bytes == ByteBuffer(string: "1"))
    #expect(stale.headers[.age] == "10" && stale.cacheStatus?.timeToLive == -5)
  }

  @Test(.covers("9111-4.3.2-c"), arguments: [HTTPField.Name.ifNoneMatch, .ifModifiedSince])
  func `conditions are for the server, if nothing stored can answer (§4·3·2)`(name: HTTPField.Name)
    async throws
  {
    let rig = CacheRig(answering: (200, [.cacheControl: "max-age=60", .eTag: "\"a\""]))
    let value = name == .ifNoneMatch ? "\"a\"" : "Sun, 06 Nov 1994 08:49:37 GMT"
    // Nothing is stored.
    #expect(try await rig.send(.get, "/", [name: value]).status == .ok)
    #expect(rig.lastHeaders[name] == value)
    // The method cannot be answered by what is stored.
    try await rig.send()
    #expect(try await rig.send(.put, "/", [name: value]).status == .ok)
    #expect(rig.lastHeaders[name] == value && rig.sent.current.count == 2)
  }

  @Test(
    .covers("9111-4.3.2-e"),
    arguments: [
      ([.date: "Sun, 06 Nov 1994 08:48:00 GMT"], "Sun, 06 Nov 1994 08:48:00 GMT", 304),
      ([.date: "Sun, 06 Nov 1994 08:48:00 GMT"], "Sun, 06 Nov 1994 08:47:59 GMT", 200),
      // The response has arrived at this second.
      ([:], "Sun, 06 Nov 1994 08:49:37 GMT", 304),
      ([:], "Sun, 06 Nov 1994 08:49:36 GMT", 200),
    ] as [(HTTPFields, String, Int)])
  func `without Last-Modified, a condition is compared with the date (§4·3·2)`(
    fields: HTTPFields, since: String, status: Int
  ) async throws {
    let rig = CacheRig(answering: (200, [.cacheControl: "max-age=600"] + fields))
    try await rig.send()
    let response = try await rig.send(.get, "/", [.ifModifiedSince: since])
    #expect(response.status.code == status && response.cacheStatus?.isHit == true)
  }

  @Test(.covers("9111-4.3.2-g"))
  func `the tag of a part is not sent, as the part cannot answer (§4·3·2)`() async throws {
    let rig = CacheRig(
      answering: (
        206, [.eTag: "\"a\"", .cacheControl: "max-age=60", .contentRange: "bytes 1-1/3"]
      ), (200, [:]))
    try await rig.send(.get, "/", [.range: "bytes=1-1"])
    #expect(try await rig.send().status == .ok)
    #expect(rig.sent.current.count == 2 && rig.lastHeaders[.ifNoneMatch] == nil)
  }
}

extension HTTPFields {
  /// Both lists of fields.
  fileprivate static func + (left: HTTPFields, right: HTTPFields) -> HTTPFields {
    HTTPFields(Array(left) + Array(right))
  }
}

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

/// Stored responses that the server confirms (RFC 9111 §4.3).
@Suite(.timeLimit(.minutes(5)))
struct CacheValidationTests {
  private static let modified = "Sat, 05 Nov 1994 08:49:37 GMT"

  @Test(.covers("9111-4.3.1-a", "9111-4.3.1-b", "9111-4.3.4-b", "9211-2.3-a"))
  func `a stale response is validated by tag and date, and used when it is confirmed (§4·3·1)`()
    async throws
  {
    let rig = CacheRig(
      answering: (
        200, [.cacheControl: "max-age=5", .eTag: "\"a\"", .lastModified: Self.modified]
      ), (304, [.eTag: "\"a\"", .cacheControl: "max-age=60"]))
    #expect(try await rig.get() == "1")
    rig.wait(10)
    let confirmed = try await rig.send()
    #expect(confirmed.status == .ok && confirmed.body.bytes == ByteBuffer(string: "1"))
    #expect(rig.lastHeaders[.ifNoneMatch] == "\"a\"")
    #expect(rig.lastHeaders[.ifModifiedSince] == Self.modified)
    #expect(confirmed.cacheStatus?.description == "Martlet; fwd=stale; fwd-status=304; ttl=60")
    // §4.3.4: the confirmed response is fresh again.
    rig.wait(30)
    #expect(try await rig.get() == "1")
    #expect(rig.sent.current.count == 2 && rig.statistics().revalidations == 1)
  }

  @Test(.covers("9111-4.3.3-a"))
  func `another response replaces the stored one (§4·3·3)`() async throws {
    let rig = CacheRig(
      answering: (200, [.eTag: "\"a\""]), (200, [.eTag: "\"b\"", .cacheControl: "max-age=60"]))
    #expect(try await rig.get() == "1")
    #expect(try await rig.get() == "2")
    #expect(try await rig.get() == "2")
  }

  @Test(.covers("9111-3.2-a", "9111-3.2-b", "9111-4.3.4-b"))
  func `fields of the confirmation replace the stored ones, except the length (§3·2)`()
    async throws
  {
    let rig = CacheRig(
      answering: (
        200,
        try HTTPFields(validating: [
          "ETag": "\"a\"", "Content-Type": "text/plain", "Content-Length": "1", "X-Old": "1",
          "X-Both": "1", "Set-Cookie": "old=1",
        ])
      ),
      (
        304,
        try HTTPFields(validating: [
          "ETag": "\"a\"", "Content-Type": "text/html", "Content-Length": "0", "X-Both": "2",
          "X-Both": "3", "X-New": "4", "Connection": "X-Hop", "X-Hop": "5", "Set-Cookie": "new=1",
        ])
      ), (304, [.eTag: "\"a\""]))
    try await rig.send()
    let confirmed = try await rig.send()
    var headers = confirmed.headers
    headers[.age] = nil
    headers[.cacheStatus] = nil
    #expect(
      try Set(headers)
        == Set(
          HTTPFields(validating: [
            "ETag": "\"a\"", "Content-Type": "text/html", "Content-Length": "1", "X-Old": "1",
            "X-Both": "2", "X-Both": "3", "X-New": "4", "Set-Cookie": "new=1",
          ])))
    // The cookie is news from the server once.
    #expect(try await rig.send().headers[.setCookie] == nil)
  }

  @Test(.covers("9111-4.3.1-a"))
  func `the server is asked about all variants at once (§4·3·1)`() async throws {
    let rig = CacheRig { request, number in
      switch number {
      case 1: .reply(200, [.vary: "Accept-Language", .eTag: "\"en\""], "tern", to: request)
      case 2: .reply(200, [.vary: "Accept-Language", .eTag: "\"de\""], "Seeschwalbe", to: request)
      default: .reply(304, [.eTag: "\"de\""], to: request)
      }
    }
    #expect(try await rig.get("/", [.acceptLanguage: "en"]) == "tern")
    #expect(try await rig.get("/", [.acceptLanguage: "de"]) == "Seeschwalbe")
    #expect(try await rig.get("/", [.acceptLanguage: "de-AT"]) == "Seeschwalbe")
    let tags = rig.lastHeaders[.ifNoneMatch]?.split(separator: ", ").sorted()
    #expect(tags == ["\"de\"", "\"en\""])
    #expect(rig.lastHeaders[.ifModifiedSince] == nil)
  }

  @Test(
    .covers("9111-4.3.4-a", "9111-4.3.4-d"),
    arguments: [
      ("\"a\"", "\"a\"", true), ("W/\"a\"", "W/\"a\"", true), ("\"a\"", "W/\"a\"", true),
      ("W/\"a\"", "\"a\"", true), ("\"a\"", "\"b\"", false), ("a", "a", true),
    ])
  func `a confirmation of another response is not used (§4·3·4)`(
    stored: String, confirmed: String, isUsed: Bool
  ) async throws {
    let rig = CacheRig { request, number in
      switch number {
      case 1: .reply(200, [.eTag: stored], "1", to: request)
      case 2: .reply(304, [.eTag: confirmed], to: request)
      default: .reply(200, [:], "3", to: request)
      }
    }
    #expect(try await rig.get() == "1")
    #expect(try await rig.get() == (isUsed ? "1" : "3"))
    #expect(rig.sent.current.count == (isUsed ? 2 : 3))
    #expect(isUsed || rig.lastHeaders[.ifNoneMatch] == nil)
  }

  @Test(arguments: [("Sun, 06 Nov 1994 06:49:37 GMT", 2), ("Sun, 06 Nov 1994 07:49:37 GMT", 3)])
  func `a response without a tag is confirmed by its date (§4·3·4)`(modified: String, sent: Int)
    async throws
  {
    let rig = CacheRig(
      answering: (
        200, [.lastModified: "Sun, 06 Nov 1994 06:49:37 GMT", .cacheControl: "no-cache"]
      ),
      (304, [.lastModified: modified, .eTag: "\"file\""]), (200, [:]))
    #expect(try await rig.get() == "1")
    let response = try await rig.send()
    #expect(rig.sent.current.count == sent)
    #expect(response.headers[.eTag] == nil)
  }

  @Test func `a confirmation with a strong tag does not make a weak one strong (RFC 9110 §8·8·3)`()
    async throws
  {
    let rig = CacheRig(
      answering: (200, [.eTag: "W/\"a\""]), (304, [.eTag: "\"a\"", .age: "7"]))
    #expect(try await rig.get() == "1")
    let confirmed = try await rig.send()
    #expect(confirmed.headers[.eTag] == "W/\"a\"")
    #expect(try await rig.get() == "1")
    #expect(rig.lastHeaders[.ifNoneMatch] == "W/\"a\"")
  }

  @Test func `the policy that revalidates asks the server about a fresh response`() async throws {
    let rig = CacheRig(
      answering: (200, [.eTag: "\"a\"", .cacheControl: "max-age=60"]), (304, [.eTag: "\"a\""]))
    #expect(try await rig.get() == "1")
    #expect(try await rig.get("/", policy: .reloadRevalidatingCacheData) == "1")
    #expect(rig.lastHeaders[.ifNoneMatch] == "\"a\"")
    #expect(rig.sent.current.count == 2)
  }

  @Test(.covers("8246-2-a", "8246-2-b"))
  func `an immutable response is not revalidated while it is fresh (RFC 8246 §2)`()
    async throws
  {
    let rig = CacheRig(
      answering: (
        200, [.eTag: "\"a\"", .cacheControl: "max-age=60, immutable", .contentLength: "1"]
      ), (304, [.eTag: "\"a\""]))
    var request = try Request("https://h/")
    try await rig.send(request)
    request.options.cachePolicy = .reloadRevalidatingCacheData
    #expect(try await rig.send(request).cacheStatus?.isHit == true)
    rig.wait(61)
    #expect(try await rig.send(request).cacheStatus?.forwardStatus == 304)
    #expect(rig.sent.current.count == 2)
  }

  // MARK: Conditions of the caller (§4.3.2)

  @Test(
    .covers("9111-4.3.2-a", "9111-4.3.2-d"),
    arguments: [
      ([.ifNoneMatch: "\"a\""], 304), ([.ifNoneMatch: "\"x\", W/\"a\""], 304),
      ([.ifNoneMatch: "*"], 304), ([.ifNoneMatch: "\"x\""], 200),
      // A tag has precedence over a date.
      ([.ifNoneMatch: "\"x\"", .ifModifiedSince: modified], 200),
      ([.ifModifiedSince: modified], 304),
      ([.ifModifiedSince: "Fri, 04 Nov 1994 08:49:37 GMT"], 200),
      ([.ifModifiedSince: "soon"], 200),
    ] as [(HTTPFields, Int)])
  func `a fresh response is compared with the caller's condition (§4·3·2)`(
    condition: HTTPFields, status: Int
  ) async throws {
    let rig = CacheRig(
      answering: (
        200,
        [
          .cacheControl: "max-age=60", .eTag: "\"a\"", .lastModified: Self.modified,
          .contentLength: "1",
        ]
      ))
    try await rig.send()
    let response = try await rig.send(.get, "/", condition)
    #expect(response.status.code == status)
    #expect(response.body.bytes?.readableBytes == (status == 200 ? 1 : 0))
    #expect(rig.sent.current.count == 1)
  }

  @Test func `the caller's condition is sent for a stale response, which a 304 freshens`()
    async throws
  {
    let rig = CacheRig(
      answering: (200, [.eTag: "\"a\"", .cacheControl: "max-age=5"]),
      (304, [.eTag: "\"a\"", .cacheControl: "max-age=60"]))
    try await rig.send()
    rig.wait(10)
    let response = try await rig.send(.get, "/", [.ifNoneMatch: "\"mine\""])
    #expect(response.status == .notModified)
    #expect(rig.lastHeaders[.ifNoneMatch] == "\"mine\"")
    #expect(try await rig.get() == "1")
    #expect(rig.sent.current.count == 2)
  }

  @Test(
    .covers("9111-4.3.2-b"),
    arguments: [HTTPField.Name.ifMatch, .ifUnmodifiedSince])
  func `only the server evaluates conditions for changes (§4·3·2)`(name: HTTPField.Name)
    async throws
  {
    let rig = CacheRig(answering: (200, [.cacheControl: "max-age=60"]), (412, [:]))
    try await rig.send()
    #expect(try await rig.send(.get, "/", [name: "\"x\""]).status == .preconditionFailed)
    #expect(try await rig.get() == "1")
  }

  // MARK: HEAD (§4.3.5)

  @Test(
    .covers("9111-4.3.5-a"),
    arguments: [("\"a\"", "1", 2), ("\"b\"", "3", 3)])
  func `the response to HEAD freshens a stored response, or shows that it is outdated (§4·3·5)`(
    tag: String, body: String, count: Int
  ) async throws {
    let rig = CacheRig(
      answering: (200, [.eTag: "\"a\"", .cacheControl: "max-age=5"]),
      (200, [.eTag: tag, .cacheControl: "max-age=60"]), (200, [:]))
    try await rig.send()
    rig.wait(10)
    try await rig.send(.head, "/", [.cacheControl: "no-cache"])
    #expect(try await rig.get() == body)
    #expect(rig.sent.current.count == count)
  }

  @Test(arguments: [("Accept", 2), ("Accept-Language", 3), ("*", 3)])
  func `a confirmation with another Vary is not used (§4·1, §4·3·4)`(vary: String, count: Int)
    async throws
  {
    let rig = CacheRig(
      answering: (200, [.eTag: "\"a\"", .vary: "Accept"]), (304, [.eTag: "\"a\"", .vary: vary]),
      (200, [.eTag: "\"b\"", .vary: vary]))
    #expect(try await rig.get() == "1")
    #expect(try await rig.get() == (count == 2 ? "1" : "3"))
    #expect(rig.sent.current.count == count)
    #expect(rig.lastHeaders[.ifNoneMatch] == (count == 2 ? "\"a\"" : nil))
  }

  @Test(arguments: [(1000, 2), (1200, 3)])
  func `a confirmation does not give a stored response more than 4096 fields`(
    added: Int, count: Int
  ) async throws {
    func fields(_ name: String, _ count: Int) throws -> HTTPFields {
      var fields: HTTPFields = [.eTag: "\"a\""]
      for number in 0..<count {
        fields.append(try HTTPField(validating: "\(name)-\(number)", value: "1"))
      }
      return fields
    }
    let rig = try CacheRig(
      answering: (200, fields("X", 3000)), (304, fields("Y", added)), (200, [:]))
    try await rig.send()
    #expect(try await rig.get() == (count == 2 ? "1" : "3"))
    #expect(rig.sent.current.count == count)
  }

  @Test(
    arguments: [
      ("max-age=60", [:], 2), ("max-age=60, no-store", [:], 3),
      ("max-age=60", [.cacheControl: "no-store"], 3),
    ] as [(String, HTTPFields, Int)])
  func `a confirmation is not stored against no-store (§5·2·1·5, §5·2·2·5)`(
    control: String, headers: HTTPFields, count: Int
  ) async throws {
    let rig = CacheRig(
      answering: (200, [.eTag: "\"a\"", .cacheControl: "max-age=5"]),
      (304, [.eTag: "\"a\"", .cacheControl: control]))
    #expect(try await rig.get() == "1")
    rig.wait(10)
    #expect(try await rig.get("/", headers) == "1")
    #expect(try await rig.get() == "1")
    #expect(rig.sent.current.count == count)
  }

  @Test func `the age of a confirmed response counts from the confirmation (§4·3·4)`() async throws
  {
    let rig = CacheRig(
      answering: (
        200,
        [
          .eTag: "\"a\"", .cacheControl: "max-age=60", .age: "50",
          .date: "Sun, 06 Nov 1994 08:48:47 GMT",
        ]
      ), (304, [.eTag: "\"a\""]), (304, [.eTag: "\"a\"", .age: "40"]))
    #expect(try await rig.get() == "1")
    rig.wait(20)
    let confirmed = try await rig.send()
    #expect(confirmed.headers[.age] == "0" && confirmed.headers[.date] == nil)
    rig.wait(50)
    #expect(try await rig.send().headers[.age] == "50")
    #expect(rig.sent.current.count == 2)
    rig.wait(10)
    #expect(try await rig.send().headers[.age] == "40")
    rig.wait(19)
    #expect(try await rig.send().headers[.age] == "59")
    #expect(rig.sent.current.count == 3)
  }
}

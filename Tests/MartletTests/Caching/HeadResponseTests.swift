import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import NIOCore
import SpecificationCoverage
import Testing

@testable import Martlet
@testable import MartletEssentials

/// What the response to HEAD says about a stored response to GET (RFC 9111 §4.3.5).
@Suite(.timeLimit(.minutes(5)))
struct HeadResponseTests {
  private static let modified = "Sat, 05 Nov 1994 08:49:37 GMT"
  private static let later = "Sat, 05 Nov 1994 08:49:38 GMT"

  @Test(
    .covers("9111-4.3.5-a", "9111-4.3.5-b", "9111-4.3.5-c"),
    arguments: [
      ([.eTag: "\"a\"", .lastModified: modified, .contentLength: "1"], true),
      ([.eTag: "\"a\""], true), ([.lastModified: modified], true),
      ([.eTag: "\"b\"", .lastModified: modified], false),
      ([.eTag: "\"a\"", .lastModified: later], false),
      ([.eTag: "\"a\"", .contentLength: "2"], false), ([:], false),
    ] as [(HTTPFields, Bool)])
  func `a stored response is valid if each validator and the length are the same (§4·3·5)`(
    fields: HTTPFields, isValid: Bool
  ) async throws {
    var head = fields
    head[.cacheControl] = "max-age=60"
    let rig = CacheRig(
      answering: (
        200,
        [
          .eTag: "\"a\"", .lastModified: Self.modified, .contentLength: "1",
          .cacheControl: "max-age=5",
        ]
      ), (200, head), (200, [:]))
    try await rig.send()
    rig.wait(10)
    try await rig.send(.head)
    #expect(try await rig.get() == (isValid ? "1" : "3"))
  }

  @Test(arguments: [404, 500], ["\"a\"", "\"b\""])
  func `a response to HEAD of another status says nothing about a stored one (§4·3·5)`(
    status: Int, tag: String
  ) async throws {
    let rig = CacheRig(
      answering: (200, [.eTag: "\"a\"", .cacheControl: "max-age=5"]),
      (status, [.eTag: tag, .cacheControl: "max-age=60"]), (200, [:]))
    try await rig.send()
    rig.wait(10)
    try await rig.send(.head)
    #expect(try await rig.stored().map { $0.head.headers[.cacheControl] } == ["max-age=5"])
    #expect(try await rig.get() == "3")
  }

  @Test(
    .covers("9111-5.2.1.5-a", "9111-5.2.2.5-a"),
    arguments: [(HTTPRequest.Method.head, 200), (.get, 304)], ["request", "response"])
  func `what may not be stored freshens nothing (§5·2·1·5, §5·2·2·5)`(
    answer: (method: HTTPRequest.Method, status: Int), side: String
  ) async throws {
    let rig = CacheRig(
      answering: (200, [.eTag: "\"a\"", .server: "1", .cacheControl: "max-age=5"]),
      (
        answer.status,
        [
          .eTag: "\"a\"", .server: "secret",
          .cacheControl: "max-age=60" + (side == "response" ? ", no-store" : ""),
        ]
      ), (200, [:]))
    try await rig.send()
    rig.wait(10)
    var fields: HTTPFields = answer.method == .head ? [:] : [.ifNoneMatch: "\"b\""]
    if side == "request" { fields[.cacheControl] = "no-store" }
    try await rig.send(answer.method, "/", fields)
    #expect(try await rig.stored().map { $0.head.headers[.server] } == ["1"])
    #expect(try await rig.get() == "3")
  }

  @Test func `what HEAD shows to be outdated is removed, and other variants stay (§4·3·5)`()
    async throws
  {
    let rig = CacheRig { request, number in
      .reply(
        200,
        [
          .vary: "Accept-Language", .cacheControl: "max-age=60",
          .eTag: request.method == .head ? "\"new\"" : "\"\(number)\"",
        ], "\(number)", to: request)
    }
    #expect(try await rig.get("/", [.acceptLanguage: "en"]) == "1")
    #expect(try await rig.get("/", [.acceptLanguage: "de"]) == "2")
    #expect(try await rig.get("/", [.acceptLanguage: "de", .cookie: "a=b"]) == "3")
    try await rig.send(.head, "/", [.acceptLanguage: "de", .cacheControl: "no-cache"])
    #expect(try await rig.get("/", [.acceptLanguage: "en"]) == "1")
    #expect(try await rig.get("/", [.acceptLanguage: "de", .cookie: "a=b"]) == "3")
    #expect(try await rig.get("/", [.acceptLanguage: "de"]) == "5")
  }

  @Test(.covers("9111-4.3.5-b"))
  func `a length that is known from HEAD only is not the same (§4·3·5)`() async throws {
    let rig = CacheRig(
      answering: (200, [.eTag: "\"a\"", .cacheControl: "max-age=5"]),
      (200, [.eTag: "\"a\"", .contentLength: "1", .cacheControl: "max-age=60"]), (200, [:]))
    try await rig.send()
    rig.wait(10)
    try await rig.send(.head)
    #expect(try await rig.get() == "3")
  }

  @Test(.covers("9111-4.3.5-d"))
  func `the fields of the HEAD response update the stored ones (§4·3·5)`() async throws {
    let rig = CacheRig(
      answering: (200, [.eTag: "\"a\"", .server: "1", .via: "1", .contentLength: "1"]),
      (200, [.eTag: "\"a\"", .server: "2", .contentLength: "1", .cacheControl: "max-age=60"]))
    try await rig.send()
    try await rig.send(.head)
    let hit = try await rig.send()
    #expect(hit.cacheStatus?.isHit == true && hit.body.bytes == ByteBuffer(string: "1"))
    #expect(hit.headers[.server] == "2" && hit.headers[.via] == "1")
    #expect(hit.headers[.contentLength] == "1")
  }
}

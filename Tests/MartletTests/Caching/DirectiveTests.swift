import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import NIOCore
import SpecificationCoverage
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Directives of `Cache-Control` (RFC 9111 §5.2).
@Suite(.timeLimit(.minutes(5)))
struct DirectiveTests {
  @Test(
    .covers("9111-5.2.3-a"),
    arguments: [
      "community=\"UCI\", max-age=60", "max-age=60, x", "x=\"max-age=0\", max-age=60",
      "x=no-store, max-age=60", "x=\"\\\", max-age=0\", max-age=60",
      "x=\"a, no-cache\", max-age=60", "max-age=60, no-cachex",
    ])
  func `unknown directives are ignored (§5·2·3)`(control: String) async throws {
    let rig = CacheRig(answering: (200, [.cacheControl: control]))
    #expect(try await rig.get() == "1")
    #expect(try await rig.get("/", [.cacheControl: "x, y=\"no-cache\""]) == "1")
  }

  @Test(
    .covers("9111-5.2-a"),
    arguments: ["no-cache", "max-age=0, x=\"1, 2\"", "stale-if-error=60, min-fresh=999"])
  func `directives of the caller are sent as they are (§5·2)`(control: String) async throws {
    let rig = CacheRig(answering: (200, [.cacheControl: "max-age=60", .eTag: "\"a\""]))
    try await rig.send()
    rig.wait(1)
    try await rig.send(.get, "/", [.cacheControl: control])
    #expect(rig.lastHeaders[values: .cacheControl] == [control])
  }

  @Test(
    .covers("9111-5.2-b"),
    arguments: ["Max-Age=60", "max-age=\"60\"", "PUBLIC, MAX-AGE=\"60\"", " max-age=60 ,"])
  func `names are the same in upper and lower case, and numbers in quotes (§5·2)`(control: String)
    async throws
  {
    let rig = CacheRig(answering: (200, [.cacheControl: control]))
    for _ in 0..<2 { #expect(try await rig.get() == "1") }
  }

  @Test(arguments: [
    "private=\"x, no-store, max-age=60", "x=\"no-store", "x=\"a\\\", no-store, max-age=60",
    "max-age=60, x=\"a, no-store, max-age=9",
  ])
  func `a quote that is not closed hides no directive`(control: String) async throws {
    let rig = CacheRig(answering: (200, [.cacheControl: control]))
    #expect(try await rig.get() == "1")
    #expect(try await rig.get() == "2")
    #expect(rig.statistics().stored == (control == "x=\"no-store" ? 2 : 0))
  }

  @Test(.covers("9111-5.2.1.5-a", "9111-5.2.1.5-b"))
  func `nothing of a request with no-store is stored, nor of its response (§5·2·1·5)`()
    async throws
  {
    let cache = MemoryResponseCache()
    let rig = CacheRig(cache, CacheOptions()) { request, number in
      .reply(200, [.cacheControl: "max-age=60", .vary: "X-Secret"], "\(number)", to: request)
    }
    var secret = try HTTPFields(validating: ["X-Secret": "1"])
    secret[.cacheControl] = "no-store"
    #expect(try await rig.get("/", secret) == "1")
    #expect(cache.size == 0 && rig.statistics().stored == 0)
  }

  @Test(.covers("9111-5.2.1.5-a", "9111-5.2.2.5-a"), arguments: [true, false])
  func `nor does a confirmation with no-store change what is stored (§5·2·1·5, §5·2·2·5)`(
    inRequest: Bool
  ) async throws {
    let confirmation: HTTPFields = [
      .eTag: "\"a\"", .server: "2", .cacheControl: inRequest ? "max-age=60" : "no-store",
    ]
    let rig = CacheRig(
      answering: (200, [.eTag: "\"a\"", .server: "1", .cacheControl: "max-age=5"]),
      (304, confirmation))
    try await rig.send()
    rig.wait(10)
    try await rig.send(.get, "/", inRequest ? [.cacheControl: "no-store"] : [:])
    rig.wait(-10)
    let stored = try await rig.send(.get, "/", [.cacheControl: "only-if-cached"])
    #expect(stored.headers[.server] == "1")
  }

  @Test(.covers("9111-5.2.2.5-a", "9111-5.2.2.5-b"))
  func `nothing of a response with no-store is stored (§5·2·2·5)`() async throws {
    let cache = MemoryResponseCache()
    let rig = CacheRig(cache, CacheOptions()) { request, number in
      .reply(200, [.cacheControl: "no-store, max-age=60"], "\(number)", to: request)
    }
    #expect(try await rig.get() == "1")
    #expect(cache.size == 0 && rig.statistics().stored == 0)
    #expect(try await rig.get() == "2")
  }

  @Test(
    .covers("9111-5.2.2.2-b", "9111-5.2.2.2-c"),
    arguments: [MartletError.Code.connectionFailed, .unknownHost, .timedOut])
  func `without the server, a response with must-revalidate is not used (§5·2·2·2)`(
    code: MartletError.Code
  ) async throws {
    var options = CacheOptions()
    options.acceptedStalenessAfterErrors = 600
    let control = "max-age=5, must-revalidate, stale-if-error=60, stale-while-revalidate=60"
    let rig = CacheRig(MemoryResponseCache(), options) { request, number in
      guard number == 1 else { throw MartletError(code, "failed") }
      return .reply(200, [.cacheControl: control], "1", to: request)
    }
    try await rig.send()
    rig.wait(10)
    let error = await failure { try await rig.send(.get, "/", [.cacheControl: "max-stale"]) }
    #expect(error?.code == code)
  }

  @Test(.covers("9111-5.2.2.4-a"), arguments: ["no-cache", "no-cache=\"\"", "No-Cache, immutable"])
  func `a response with no-cache is used after validation only (§5·2·2·4)`(control: String)
    async throws
  {
    let fields: HTTPFields = [
      .eTag: "\"a\"", .cacheControl: "\(control), max-age=60, stale-if-error=60",
      .contentLength: "1",
    ]
    let rig = CacheRig(answering: (200, fields), (304, [.eTag: "\"a\""]), (503, [:]))
    var request = try Request("https://h/")
    try await rig.send(request)
    request.options.cachePolicy = .reloadRevalidatingCacheData
    #expect(try await rig.send(request).cacheStatus?.forwardStatus == 304)
    request.options.cachePolicy = nil
    #expect(try await rig.send(request).status == .serviceUnavailable)
  }

  @Test(.covers("9111-5.2.1.7-a"))
  func `only-if-cached requires a stored response that may be used (§5·2·1·7)`() async throws {
    let rig = CacheRig(answering: (200, [.cacheControl: "max-age=5"]))
    let only: HTTPFields = [.cacheControl: "only-if-cached"]
    #expect(await failure { try await rig.send(.get, "/", only) }?.code == .notCached)
    try await rig.send()
    #expect(try await rig.get("/", only) == "1")
    rig.wait(10)
    #expect(await failure { try await rig.send(.get, "/", only) }?.code == .notCached)
    #expect(try await rig.get("/", [.cacheControl: "only-if-cached, max-stale"]) == "1")
    #expect(rig.sent.current.count == 1)
  }
}

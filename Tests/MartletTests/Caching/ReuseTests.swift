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

/// When a stored response answers a request, and when the server is asked (RFC 9111 §4, §5.2.1).
@Suite(.timeLimit(.minutes(5)))
struct ReuseTests {
  /// Whether the second request, ten seconds after the first, is answered without the server.
  @Test(
    .covers("9111-4-d", "9111-4-e", "9111-4.2.1-c", "9111-4.2.4-b", "9111-5.2.1-a", "9111-5.2.2-a"),
    arguments: [
      ("", "max-age=60", true),
      ("no-cache", "max-age=60", false),
      ("max-age=5", "max-age=60", false),
      ("max-age=20", "max-age=60", true),
      ("min-fresh=60", "max-age=60", false),
      ("min-fresh=40", "max-age=60", true),
      ("max-stale", "max-age=5", true),
      ("max-stale=5", "max-age=5", true),
      ("max-stale=4", "max-age=5", false),
      ("max-stale=x", "max-age=5", false),
      ("max-stale", "max-age=5, must-revalidate", false),
      ("max-stale", "max-age=5, no-cache", false),
      ("max-stale", "max-age=5, proxy-revalidate", true),
      ("max-stale, max-age=5", "max-age=60", false),
      ("no-store", "max-age=60", true),
      ("no-transform", "max-age=60", true),
      ("", "no-cache, max-age=60", false),
      ("", "max-age=9", false),
      ("", "", false),
      ("only-if-cached", "max-age=60", true),
    ])
  func `directives of the request and the response decide together (§5·2·1)`(
    requested: String, stored: String, isHit: Bool
  ) async throws {
    let rig = CacheRig(answering: (200, [.cacheControl: stored]))
    #expect(try await rig.get() == "1")
    rig.wait(10)
    let headers: HTTPFields = requested.isEmpty ? [:] : [.cacheControl: requested]
    #expect(try await rig.get("/", headers) == (isHit ? "1" : "2"))
    #expect(rig.sent.current.count == (isHit ? 1 : 2))
  }

  @Test(.covers("9111-5.4-a"))
  func `Pragma counts where Cache-Control is missing (§5·4)`() async throws {
    let rig = CacheRig(answering: (200, [.cacheControl: "max-age=60"]))
    var headers = try HTTPFields(validating: ["Pragma": "No-Cache"])
    #expect(try await rig.get() == "1")
    #expect(try await rig.get("/", headers) == "2")
    headers[.cacheControl] = "max-age=60"
    #expect(try await rig.get("/", headers) == "2")
  }

  @Test func `a request with no-store leaves what is stored (§5·2·1·5)`() async throws {
    let rig = CacheRig(answering: (200, [.cacheControl: "max-age=60"]))
    #expect(try await rig.get("/", [.cacheControl: "no-store"]) == "1")
    #expect(try await rig.get() == "2")
  }

  @Test func `a stored response to GET answers HEAD (RFC 9110 §9·3·2)`() async throws {
    let rig = CacheRig(
      answering: (200, [.cacheControl: "max-age=60", .contentLength: "1"]))
    try await rig.send()
    let head = try await rig.send(.head)
    #expect(head.headers[.contentLength] == "1" && head.body.bytes?.readableBytes == 0)
    #expect(rig.sent.current.count == 1)
  }

  @Test(.covers("9111-4-b"))
  func `the response to a POST answers a GET, and not another POST (RFC 9110 §9·3·3)`()
    async throws
  {
    let rig = CacheRig(answering: (200, [.cacheControl: "max-age=60", .contentLocation: "/"]))
    try await rig.send(.post)
    #expect(try await rig.get() == "1")
    try await rig.send(.post)
    #expect(rig.sent.current.count == 2)
    #expect(try await rig.get() == "2")
  }

  @Test func `a clock that has moved back makes the server decide`() async throws {
    let rig = CacheRig(answering: (200, [.cacheControl: "max-age=60"]))
    #expect(try await rig.get() == "1")
    rig.wait(-3600)
    #expect(try await rig.get() == "2")
  }

  @Test(.covers("9211-2.2-a", "9211-2.3-a", "9211-2.4-a", "9211-2.5-a"))
  func `the status of the cache says what was done (RFC 9211)`() async throws {
    let vary: HTTPFields = [.cacheControl: "max-age=60", .vary: "Accept"]
    let rig = CacheRig(answering: (200, vary))
    var fields: [String] = []
    func note(_ response: Response) { fields += response.headers[values: .cacheStatus] }
    note(try await rig.send())
    rig.wait(8)
    note(try await rig.send())
    note(try await rig.send(.get, "/", [.accept: "text/plain"]))
    note(try await rig.send(.get, "/", [.cacheControl: "no-cache"]))
    note(try await rig.send(.get, "/", [.ifMatch: "\"1\""]))
    note(try await rig.send(.post))
    #expect(
      fields == [
        "Martlet; fwd=uri-miss; fwd-status=200; stored", "Martlet; hit; ttl=52",
        "Martlet; fwd=vary-miss; fwd-status=200; stored",
        "Martlet; fwd=request; fwd-status=200; stored",
        "Martlet; fwd=bypass; fwd-status=200", "Martlet; fwd=method; fwd-status=200",
      ])
    #expect(rig.statistics().hits == 1 && rig.statistics().misses == 5)
    #expect(rig.statistics().stored == 3 && rig.statistics().servedBytes == 1)
  }

  @Test(.covers("9211-2-b", "9211-2-c", "9211-2-d"))
  func `the name of the cache is a token or a string, and follows other caches (RFC 9211 §2)`()
    async throws
  {
    var options = CacheOptions()
    options.name = "my “cache\""
    let rig = CacheRig(options, answering: (200, [.cacheStatus: "proxy; hit"]))
    let fields = try await rig.send().headers[values: .cacheStatus]
    #expect(
      fields == ["proxy; hit", "\"my ?cache\\\"\"; fwd=uri-miss; fwd-status=200; stored"])
    #expect(
      CacheStatus(cache: "x", forwardReason: .stale).description == "x; fwd=stale")
  }

  @Test func `one user does not receive what another has stored`() async throws {
    let rig = CacheRig(answering: (200, [.cacheControl: "max-age=60"]))
    #expect(try await rig.get("/", [.authorization: "Bearer a"]) == "1")
    #expect(try await rig.get("/", [.authorization: "Bearer b"]) == "2")
    #expect(try await rig.get("/", [.cookie: "id=a"]) == "3")
    #expect(try await rig.get("/", [.authorization: "Bearer a"]) == "1")
  }

  @Test func `a shared cache serves what the server allows for all (§3·5)`() async throws {
    var options = CacheOptions()
    options.mode = .shared
    let rig = CacheRig(
      options, answering: (200, [.cacheControl: "private, max-age=60"]),
      (200, [.cacheControl: "public, max-age=60"]))
    #expect(try await rig.get("/", [.authorization: "Bearer a"]) == "1")
    #expect(try await rig.get("/", [.authorization: "Bearer a"]) == "2")
    #expect(try await rig.get("/", [.authorization: "Bearer b"]) == "2")
    #expect(try await rig.get() == "2")
  }

  @Test func `a key of one's own replaces the URL, for all requests or for one`() async throws {
    var options = CacheOptions()
    options.key = { $0.url.path == "/signed" ? "file" : nil }
    let rig = CacheRig(options, answering: (200, [.cacheControl: "max-age=60"]))
    #expect(try await rig.get("/signed?signature=1") == "1")
    #expect(try await rig.get("/signed?signature=2") == "1")
    #expect(try await rig.get("/other?signature=2") == "2")
    var request = try Request("http://h/other?signature=3")
    request.cacheKey = "file"
    #expect(try await rig.send(request).body.bytes == ByteBuffer(string: "1"))
    request.method = .delete
    try await rig.send(request)
    #expect(try await rig.get("/signed?signature=1") == "4")
  }

  @Test func `a key has no user, no password and no fragment`() throws {
    let request = try Request("http://ada:secret@H.example:80/x?y#z")
    #expect(CacheKey(request).url == "http://h.example/x?y")
  }

  @Test(arguments: [("Host", "other"), ("Upgrade", "websocket")])
  func `a request for another host or protocol than that of the URL is for the server alone`(
    name: String, value: String
  ) async throws {
    let rig = CacheRig(answering: (200, [.cacheControl: "max-age=60"]))
    let headers = try HTTPFields(validating: [name: value])
    #expect(try await rig.get("/", headers) == "1")
    #expect(try await rig.get() == "2")
    let other = try await rig.send(.get, "/", headers)
    #expect(other.cacheStatus?.description == "Martlet; fwd=bypass; fwd-status=200")
    #expect(try await rig.get() == "2")
    #expect(rig.sent.current.count == 3)
  }
}

import Foundation
import HTTPTypes
import MartletCore
import SpecificationCoverage
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Which responses may be stored (RFC 9111 §3).
struct StorabilityTests {
  private struct Case: CustomTestStringConvertible, Sendable {
    var method = HTTPRequest.Method.get
    var status = 200
    var request: HTTPFields = [:]
    var response: HTTPFields = [:]
    var isStorable: Bool
    var isStorableIfShared: Bool
    var testDescription: String { "\(method) \(request) → \(status) \(response)" }

    /// A case for both kinds of caches, unless `shared` says otherwise.
    init(
      _ method: HTTPRequest.Method = .get, _ status: Int = 200, _ request: HTTPFields = [:],
      _ response: HTTPFields = [:], stored isStorable: Bool, shared: Bool? = nil
    ) {
      (self.method, self.status, self.request, self.response) = (method, status, request, response)
      (self.isStorable, isStorableIfShared) = (isStorable, shared ?? isStorable)
    }
  }

  private static let cases: [Case] = [
    // RFC 9110 §15.1: these statuses need no lifetime.
    Case(stored: true), Case(.get, 203, stored: true), Case(.get, 204, stored: true),
    Case(.get, 300, stored: true),
    Case(.get, 301, stored: true), Case(.get, 308, stored: true), Case(.get, 404, stored: true),
    Case(.get, 405, stored: true),
    Case(.get, 410, stored: true), Case(.get, 414, stored: true), Case(.get, 501, stored: true),
    // The others need a lifetime, or `public`.
    Case(.get, 302, stored: false), Case(.get, 307, stored: false), Case(.get, 500, stored: false),
    Case(.get, 503, stored: false),
    Case(.get, 302, [:], [.cacheControl: "max-age=1"], stored: true),
    Case(.get, 302, [:], [.expires: "0"], stored: true),
    Case(.get, 503, [:], [.cacheControl: "public"], stored: true),
    Case(.get, 302, [:], [.cacheControl: "s-maxage=1"], stored: false, shared: true),
    Case(.get, 302, [:], [.cacheControl: "private"], stored: true, shared: false),
    // Only responses whose meaning is known, and no interim ones.
    Case(.get, 101, [:], [.cacheControl: "max-age=1"], stored: false),
    Case(.get, 304, [:], [.cacheControl: "max-age=1"], stored: false),
    Case(.get, 401, [:], [.cacheControl: "max-age=1"], stored: false),
    Case(.get, 412, [:], [.cacheControl: "max-age=1"], stored: false),
    Case(.get, 416, [:], [.cacheControl: "max-age=1"], stored: false),
    Case(.get, 429, [:], [.cacheControl: "max-age=1"], stored: false),
    // §5.2.1.5, §5.2.2.5
    Case(.get, 200, [.cacheControl: "no-store"], [:], stored: false),
    Case(.get, 200, [:], [.cacheControl: "max-age=60, No-Store"], stored: false),
    // §5.2.2.3: a cache that implements the rules of the status may store it.
    Case(.get, 200, [:], [.cacheControl: "no-store, must-understand"], stored: true),
    Case(.get, 418, [:], [.cacheControl: "must-understand, max-age=60"], stored: false),
    // §5.2.2.7, with and without names of fields.
    Case(.get, 200, [:], [.cacheControl: "private"], stored: true, shared: false),
    Case(.get, 200, [:], [.cacheControl: "private=\"Set-Cookie\""], stored: true),
    // §3.5
    Case(.get, 200, [.authorization: "Bearer x"], [:], stored: true, shared: false),
    Case(
      .get, 200, [.authorization: "Bearer x"], [.cacheControl: "max-age=9"], stored: true,
      shared: false),
    Case(.get, 200, [.authorization: "Bearer x"], [.cacheControl: "public"], stored: true),
    Case(.get, 200, [.authorization: "Bearer x"], [.cacheControl: "s-maxage=9"], stored: true),
    Case(.get, 200, [.authorization: "Bearer x"], [.cacheControl: "must-revalidate"], stored: true),
    // Cookies identify users, too.
    Case(.get, 200, [.cookie: "id=1"], [.cacheControl: "max-age=9"], stored: true, shared: false),
    Case(
      .get, 200, [.cookie: "id=1"], [.cacheControl: "must-revalidate"], stored: true, shared: false),
    Case(.get, 200, [.cookie: "id=1"], [.cacheControl: "public"], stored: true),
    Case(.get, 200, [:], [.setCookie: "id=1"], stored: true, shared: false),
    // §4.1
    Case(.get, 200, [:], [.vary: "Accept, Accept-Language"], stored: true),
    Case(.get, 200, [:], [.vary: "Accept, *"], stored: false),
    Case(.get, 200, [:], [.vary: "two words"], stored: false),
    Case(.get, 200, [:], [.vary: ":path"], stored: false),
    Case(.get, 200, [:], [.vary: (0..<33).map { "X-\($0)" }.joined(separator: ",")], stored: false),
    Case(.get, 200, [:], [.vary: (0..<32).map { "X-\($0)" }.joined(separator: ",")], stored: true),
    // §3.3, §3.4
    Case(.get, 200, [.range: "bytes=0-1"], [:], stored: true),
    Case(.get, 404, [.range: "bytes=0-1"], [:], stored: false),
    Case(
      .get, 206, [.range: "bytes=0-1"], [.contentRange: "bytes 0-1/9", .eTag: "\"1\""], stored: true
    ),
    Case(
      .get, 206, [.range: "bytes=0-1"], [.contentRange: "bytes 0-1/9", .eTag: "W/\"1\""],
      stored: false),
    Case(.get, 206, [.range: "bytes=0-1"], [.contentRange: "bytes 0-1/9"], stored: false),
    Case(.get, 206, [.range: "bytes=0-1,3-4"], [.eTag: "\"1\""], stored: false),
    // RFC 9110 §9.3.3
    Case(.post, 200, [:], [.cacheControl: "max-age=60"], stored: false),
    Case(.post, 200, [:], [.cacheControl: "max-age=60", .contentLocation: "/x"], stored: true),
    Case(.post, 200, [:], [.cacheControl: "max-age=60", .contentLocation: "/y"], stored: false),
    Case(.post, 200, [:], [.contentLocation: "/x"], stored: false),
    Case(.post, 201, [:], [.cacheControl: "max-age=60", .contentLocation: "/x"], stored: false),
    Case(.post, 203, [:], [.cacheControl: "max-age=60", .contentLocation: "/x"], stored: false),
    Case(.put, 200, [:], [.cacheControl: "max-age=60", .contentLocation: "/x"], stored: false),
  ]

  @Test(
    .covers(
      "9111-3-a", "9111-3-b", "9111-3-c", "9111-3-d", "9111-3-e", "9111-3-f", "9111-3-g",
      "9111-5.2.2.3-b", "9111-5.2.2.7-a"),
    arguments: cases)
  private func `what may be stored (RFC 9111 §3)`(_ tested: Case) throws {
    let request = try Request(tested.method, "http://example.com/x", headers: tested.request)
    let head = ResponseHead(status: .init(code: tested.status), headers: tested.response)
    let sent = SentRequest(request, CacheKey(request), "", nil, at: Date(), removalCount: 0)
    for (mode, isStorable) in [
      (CacheOptions.Mode.private, tested.isStorable), (.shared, tested.isStorableIfShared),
    ] {
      var options = CacheOptions()
      options.mode = mode
      #expect(
        Storability.isStorable(head, CacheMetadata(head), to: sent, options) == isStorable,
        "\(mode)")
    }
  }

  @Test(.covers("9111-3.1-a", "9111-3.1-d"))
  func `fields of the connection are not stored, all others are (§3·1)`() throws {
    let headers = try HTTPFields(validating: [
      "Connection": "X-Hop", "Content-Type": "text/plain", "Transfer-Encoding": "chunked",
      "X-Hop": "1", "X-Other": "2", "Set-Cookie": "a=b", "Keep-Alive": "timeout=5",
      "Proxy-Authenticate": "Basic",
    ])
    #expect(
      try headers.storable
        == HTTPFields(validating: [
          "Content-Type": "text/plain", "X-Other": "2", "Set-Cookie": "a=b",
        ]))
  }

  @Test(
    .covers("9111-5.2.2.4-b"),
    arguments: [
      "no-cache=\"Set-Cookie, X-Token\", max-age=60",
      "no-cache=set-cookie, max-age=60, NO-CACHE=x-token",
    ])
  func `fields that may not be used again are not stored (§5·2·2·4)`(control: String) throws {
    let headers = try HTTPFields(validating: [
      "Cache-Control": control, "Set-Cookie": "a=b", "X-Token": "1",
    ])
    #expect(
      headers.storable == [.cacheControl: control])
    #expect(!CacheControl(headers).contains(.noCache) && !CacheControl(headers).contains(.private))
  }

  @Test func `directives of 100 KB are read, and hostile ones mean nothing`() {
    let many = String(repeating: "x=\"\\\",\", ", count: 12_000) + "max-age=7"
    #expect(CacheControl([.cacheControl: many]).maxAge == 7)
    for text in ["", ",,,", "=", "=5", "\"max-age=5\"", "max-age=5;", "max-age=\"5", "ﬁ=5"] {
      var control = CacheControl()
      control.add(text)
      #expect(control.maxAge ?? 0 == (text.hasPrefix("max-age=") ? 5 : 0), "\(text)")
    }
  }
}

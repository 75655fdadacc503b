import Foundation
import HTTPTypes
import Testing

@testable import Martlet
@testable import MartletEssentials

/// What a jar holds, and for how long.
@Suite(.timeLimit(.minutes(5)))
struct CookieJarTests {
  private let clock = TestClock()
  private let jar: CookieJar

  init() {
    jar = CookieJar { [clock] in clock.now }
  }

  private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

  private func head(_ fields: [String]) -> ResponseHead {
    var head = ResponseHead(status: .ok)
    head.headers[values: .setCookie] = fields
    return head
  }

  private func store(_ fields: String..., from text: String = "https://a.example/") throws {
    jar.store(head(fields), from: try url(text))
  }

  private var pairs: [String] { jar.cookies.map(\.pair) }

  @Test func `a cookie has all that its field says`() throws {
    try store(
      "id=x; Domain=.example.com; Path=/p; Expires=Wed, 01 Jul 2026 00:00:00 GMT; Secure; HttpOnly; SameSite=Lax",
      from: "https://www.example.com/q")
    let cookie = try #require(jar.cookies.first)
    #expect(
      cookie
        == Cookie(
          name: "id", value: "x", domain: "example.com", isHostOnly: false, path: "/p",
          expires: Date(timeIntervalSince1970: 1_782_864_000), isSecure: true, isHTTPOnly: true,
          sameSite: .lax, created: clock.now))
  }

  @Test func `a cookie without attributes is for its host and folder, until the session ends`()
    throws
  {
    try store("id=x", from: "http://www.example.com:81/p/q")
    let cookie = try #require(jar.cookies.first)
    #expect(
      cookie
        == Cookie(
          name: "id", value: "x", domain: "www.example.com", path: "/p", created: clock.now))
  }

  @Test func `no more than 400 days are given`() throws {
    try store("a=1; max-age=999999999", "b=2; expires=Fri, 31 Dec 9999 23:59:59 GMT")
    #expect(jar.cookies.map(\.expires) == Array(repeating: clock.now + 400 * 86_400, count: 2))
  }

  @Test func `an insecure server cannot hide a secure cookie`() throws {
    try store("a=1; secure; path=/login", "b=1; path=/login")
    try store(
      "a=2; path=/login", "a=3; path=/login/en", "a=4; path=/", "a=5; path=/other",
      "a=; path=/login; max-age=0", "b=2; path=/login", from: "http://a.example/")
    #expect(pairs == ["a=1", "b=2", "a=4", "a=5"])
    // Nor that of a domain above or below it.
    try store("c=1; secure; domain=a.example", "d=1; secure", from: "https://b.a.example/")
    try store("c=2", "d=2; domain=a.example", "e=2", from: "http://a.example/")
    #expect(pairs == ["a=1", "b=2", "a=4", "a=5", "c=1", "d=1", "e=2"])
    try store("a=6; path=/login", from: "https://a.example/")
    #expect(pairs.contains("a=6"))
  }

  @Test func `what expires is gone, wherever one looks`() throws {
    try store("a=1; max-age=10", "b=2")
    #expect(pairs == ["a=1", "b=2"])
    clock.wait(10)
    #expect(pairs == ["b=2"])
    #expect("\(jar)" == "<CookieJar: 1 cookie>")
    #expect(try jar.cookies(for: url("https://a.example/")).map(\.pair) == ["b=2"])
  }

  @Test func `an expired cookie does not block a new one, nor pass on its creation time`() throws {
    try store("a=1; secure; max-age=10", "b=1; max-age=10", "c=1")
    clock.wait(10)
    try store("a=2", "b=2", from: "http://a.example/")
    #expect(pairs == ["c=1", "a=2", "b=2"])
    #expect(jar.cookies.map(\.created) == [CookieCase.now, clock.now, clock.now])
  }

  @Test func `when the session is over, its cookies are removed`() throws {
    try store("a=1; max-age=10", "b=2")
    jar.removeSessionCookies()
    #expect(pairs == ["a=1"])
  }

  @Test func `cookies are set and removed by hand`() throws {
    try jar.set(Cookie(name: "a", value: "1", domain: "a.example"))
    try jar.set(Cookie(name: "b", value: "2", domain: "a.example", isHostOnly: false))
    try jar.set(Cookie(name: "a", value: "3", domain: "a.example"))
    #expect(jar.header(for: try url("http://a.example/x")) == "a=3; b=2")
    #expect(jar.header(for: try url("http://b.a.example/x")) == "b=2")
    #expect(jar.header(for: try url("http://b.example/x")) == nil)
    jar.remove(Cookie(name: "a", value: "whatever", domain: "a.example"))
    jar.remove(Cookie(name: "b", value: "whatever", domain: "a.example"))
    #expect(pairs == ["b=2"])
    jar.removeAll { $0.value == "2" }
    #expect(jar.isEmpty)
    try store("c=3")
    jar.removeAll()
    #expect(jar.isEmpty)
    #expect(jar.header(for: try url("https://a.example/")) == nil)
    try jar.set(Cookie(name: "a", value: "1", domain: "h", expires: clock.now))
    #expect(jar.isEmpty)
  }

  @Test func `a jar can be emptied into another by way of JSON`() throws {
    try store("a=1; secure; samesite=strict", "b=2; max-age=100; domain=a.example; path=/x")
    let other = CookieJar { [clock] in clock.now }
    let data = try JSONEncoder().encode(jar.cookies)
    for cookie in try JSONDecoder().decode([Cookie].self, from: data) { try other.set(cookie) }
    #expect(other.cookies == jar.cookies)
  }

  // MARK: Limits

  @Test func `of a domain's cookies the one not used for longest goes first`() throws {
    for number in 0..<50 {
      try store("c\(number)=; path=/\(number)")
      clock.wait(1)
    }
    #expect(jar.cookies.count == 50)
    _ = jar.header(for: try url("https://a.example/0"))
    try store("new=1", "newer=1")
    #expect(jar.cookies.count == 50)
    #expect(jar.cookies.map(\.name).prefix(2) == ["c0", "c3"])
    #expect(jar.cookies.map(\.name).suffix(2) == ["new", "newer"])
  }

  @Test func `of a domain's cookies those go first that have expired, then those not secure`()
    throws
  {
    var limits = CookieJar.Limits()
    limits.perDomain = 3
    let jar = CookieJar(limits: limits) { [clock] in clock.now }
    let url = try url("https://a.example/")
    for field in ["a=1; secure", "b=1; max-age=5", "c=1"] {
      jar.store(head([field]), from: url)
      clock.wait(1)
    }
    clock.wait(5)
    jar.store(head(["d=1"]), from: url)
    #expect(jar.cookies.map(\.name) == ["a", "c", "d"])
    jar.store(head(["e=1; secure"]), from: url)
    #expect(jar.cookies.map(\.name) == ["a", "d", "e"])
    jar.store(head(["f=1; secure", "g=1; secure"]), from: url)
    #expect(jar.cookies.map(\.name) == ["e", "f", "g"])
    // What is not secure has no place among those that are.
    jar.store(head(["h=1"]), from: url)
    #expect(jar.cookies.map(\.name) == ["e", "f", "g"])
    // Another domain is none of this one's business.
    jar.store(head(["h=1"]), from: try self.url("https://b.example/"))
    #expect(jar.cookies.count == 4)
  }

  @Test func `of all cookies those go first that have expired, then the one not used for longest`()
    throws
  {
    var limits = CookieJar.Limits()
    limits.total = 3
    let jar = CookieJar(limits: limits) { [clock] in clock.now }
    for (host, field) in ["a=1; secure", "b=1; max-age=5", "c=1"].enumerated() {
      jar.store(head([field]), from: try url("https://h\(host).example/"))
      clock.wait(1)
    }
    clock.wait(5)
    jar.store(head(["d=1"]), from: try url("https://h.example/"))
    #expect(jar.cookies.map(\.name) == ["a", "c", "d"])
    _ = jar.header(for: try url("https://h0.example/"))
    jar.store(head(["e=1"]), from: try url("https://i.example/"))
    #expect(jar.cookies.map(\.name) == ["a", "d", "e"])
  }

  @Test func `looking at cookies is no use of them`() throws {
    try store("a=1")
    clock.wait(5)
    _ = try jar.cookies(for: url("https://a.example/"))
    #expect(jar.cookies[0].lastUsed == CookieCase.now)
    _ = jar.header(for: try url("https://a.example/"))
    #expect(jar.cookies[0].lastUsed == CookieCase.now + 5)
    #expect(jar.cookies[0].created == CookieCase.now)
  }

  @Test func `an empty jar does not even look where a request goes`() throws {
    var isAsked = false
    let target = { () -> CookieTarget? in
      isAsked = true
      return nil
    }
    #expect(jar.use(for: target()).isEmpty && !isAsked)
    try store("a=1")
    #expect(jar.use(for: target()).isEmpty && isAsked)
  }

  // MARK: Hostile servers

  @Test func `a bomb of cookies leaves fifty`() throws {
    jar.store(head((0..<10_000).map { "c\($0)=x" }), from: try url("https://a.example/"))
    #expect(jar.cookies.count == 50)
    #expect(jar.cookies.map(\.name).last == "c9999")
  }

  @Test func `bombs from many hosts leave three thousand`() async throws {
    for host in 0..<70 {
      jar.store(
        head((0..<50).map { "c\($0)=x" }), from: try url("http://h\(host).example/"))
      await Task.yield()
    }
    #expect(jar.cookies.count == 3000)
  }

  @Test func `huge fields are refused in no time`() throws {
    let huge = String(repeating: "x", count: 1 << 18)
    for field in [
      "a=\(huge)", huge, "a=1; \(huge)", "a=1; \(huge)=\(huge)", "a=1; domain=\(huge)",
      "a=1; path=/\(huge)", "a=1; expires=\(huge)", String(repeating: ";", count: 1 << 18),
      "a=1" + String(repeating: "; path=/", count: 1 << 15),
      "a=1; expires=" + String(repeating: "1 ", count: 500),
    ] {
      try store(field)
    }
    #expect(pairs == ["a=1"])
  }

  @Test func `a host of countless parts is no trouble`() throws {
    let host = String(repeating: "a.", count: 20_000) + "example"
    try store("a=1", from: "https://\(host)/")
    #expect(jar.header(for: try url("https://\(host)/")) == "a=1")
  }

  @Test func `many threads at once lose and break nothing`() async throws {
    let jar = CookieJar()
    let heads = (0..<40).map { head(["c\($0)=x; path=/", "shared=\($0)"]) }
    let url = try url("https://a.example/")
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<8 {
        group.addTask { @concurrent in
          for round in 0..<200 {
            jar.store(heads[(thread * 5 + round % 5)], from: url)
            _ = jar.header(for: url)
            _ = jar.cookies(for: url).map(\.pair)
            if round % 50 == 49 { jar.removeAll { $0.name == "shared" } }
          }
        }
      }
    }
    #expect(Set(jar.cookies.map(\.name)).subtracting(["shared"]).count == 40)
    #expect(jar.cookies.count <= 41)
  }
}

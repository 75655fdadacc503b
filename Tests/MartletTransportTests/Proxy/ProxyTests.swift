import MartletCore
import MartletTransport
import Testing

/// A proxy as a value.
struct ProxyTests {
  @Test(
    arguments: [
      ("http://proxy:3128", .http, "proxy", 3128, nil, nil),
      ("http://proxy", .http, "proxy", 80, nil, nil),
      ("HTTP://PROXY.example.com/", .http, "proxy.example.com", 80, nil, nil),
      ("proxy:3128", .http, "proxy", 3128, nil, nil),
      ("user:pass@proxy:3128", .http, "proxy", 3128, "user", "pass"),
      ("https://proxy", .https, "proxy", 443, nil, nil),
      ("socks5://127.0.0.1", .socks5, "127.0.0.1", 1080, nil, nil),
      ("socks5h://[::1]:9", .socks5, "::1", 9, nil, nil),
      ("http://user@proxy", .http, "proxy", 80, "user", nil),
      ("http://a%40b:c%3Ad%2F@proxy", .http, "proxy", 80, "a@b", "c:d/"),
      ("socks5://m%C3%BCller:@proxy", .socks5, "proxy", 1080, "müller", ""),
      ("http://a|%40b:c%3Ad|50%@proxy", .http, "proxy", 80, "a|@b", "c:d|50%"),
    ] as [(String, Proxy.Kind, String, Int, String?, String?)])
  func `a URL names a proxy`(
    text: String, kind: Proxy.Kind, host: String, port: Int, user: String?, password: String?
  ) throws {
    let proxy = try Proxy(text)
    #expect(proxy.kind == kind)
    #expect(proxy.host == host)
    #expect(proxy.port == port)
    #expect(proxy.user == user)
    #expect(proxy.password == password)
    #expect(try proxy == Proxy(kind, host: host, port: port, user: user, password: password))
  }

  private static let noURL =
    "The proxy cannot be used: it is not a URL such as http://proxy.example.com:3128; percent-encode special characters in user and password."
  private static let more =
    "The proxy cannot be used: its URL must not have a path, a query or a fragment."

  @Test(arguments: [
    ("", noURL), ("http://", noURL), ("http://:3128", noURL), ("http://a b", noURL),
    ("http://user:secret@", noURL), ("http://proxy:port", noURL),
    ("http://proxy:0", "The proxy cannot be used: port 0 is not between 1 and 65535."),
    (
      "http://proxy:18446744073709551696",
      "The proxy cannot be used: port 18446744073709551696 is not between 1 and 65535."
    ),
    ("http://proxy:65536", "The proxy cannot be used: port 65536 is not between 1 and 65535."),
    ("http://proxy/path", more), ("http://proxy?a=b", more), ("http://proxy#a", more),
    (
      "ftp://user:secret@proxy",
      "The proxy cannot be used: its scheme must be http, https, socks5 or socks5h."
    ),
    (
      "socks4://proxy",
      "The proxy cannot be used: its scheme must be http, https, socks5 or socks5h."
    ),
    (
      "http://user:secret%0D%0A@proxy",
      "The proxy cannot be used: its user or password holds a control character."
    ),
    (
      "socks5://user:\(String(repeating: "secret", count: 50))@proxy",
      "The proxy cannot be used: its user or password has more bytes than the 255 that SOCKS 5 allows."
    ),
  ])
  func `what is no proxy is refused, without its secrets`(text: String, sentence: String) {
    let error = #expect(throws: MartletError.self) { try Proxy(text) }
    #expect(error?.message == sentence)
    #expect(error?.code == .invalidProxy)
    #expect(error?.phase == .proxy)
  }

  @Test(arguments: ["http://user:sec/ret@proxy", "http://user:sec#ret@proxy", "http://user:s?@p"])
  func `a password that ends its URL early is not shown`(text: String) {
    let error = #expect(throws: MartletError.self) { try Proxy(text) }
    #expect(error.map { !"\($0.message)".contains("sec") } == true)
  }

  @Test(arguments: [
    ("http://user:secret@proxy:3128", "http://user:***@proxy:3128"),
    ("https://user@proxy", "https://user@proxy:443"),
    ("socks5h://:secret@[::1]", "socks5://:***@[::1]:1080"), ("proxy", "http://proxy:80"),
  ])
  func `a description masks the password`(text: String, description: String) throws {
    let proxy = try Proxy(text)
    #expect("\(proxy)" == description)
    #expect("\(ProxyRoute.through(proxy))" == "through \(description)")
    var dumped = ""
    dump([ProxyConfiguration.through(proxy)], to: &dumped)
    #expect(!dumped.contains("secret"))
    #expect(!String(reflecting: proxy).contains("secret"))
  }

  @Test(arguments: ["a/b", "u@h", "", "h:1", "a b"])
  func `a host that is none is refused`(host: String) {
    #expect(throws: MartletError.self) { try Proxy(.http, host: host) }
  }
}

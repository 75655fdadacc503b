import Foundation
import HTTPTypes
import MartletCore
import Testing

/// The server behind a URL.
struct OriginTests {
  @Test(arguments: [
    ("http://example.com/x", "http://example.com", "example.com"),
    ("https://example.com", "https://example.com", "example.com"),
    ("HTTP://Example.COM:80/", "http://example.com", "example.com"),
    ("https://example.com:8443/", "https://example.com:8443", "example.com:8443"),
    ("http://[::1]:8080/", "http://[::1]:8080", "[::1]:8080"),
    ("http://u:8@h:/", "http://h", "h"), ("http://h:0000000000000000000080", "http://h", "h"),
    ("http+unix://%2Frun%2Fapp.sock/x", "http+unix:/run/app.sock", "localhost"),
    ("https+unix://%2Frun%2Fapp.sock/x", "https+unix:/run/app.sock", "localhost"),
  ])
  func `a URL has an origin and an authority`(text: String, origin: String, authority: String)
    throws
  {
    let found = try Origin(of: try #require(URL(string: text)))
    #expect(found.description == origin)
    #expect(found.authority == authority)
  }

  @Test func `the same server is the same origin however it is spelled (RFC 6454 §4)`() throws {
    let origins = try ["http://h/", "HTTP://H:80/x?y", "http://h"].map { text in
      try Origin(of: try #require(URL(string: text)))
    }
    #expect(Set(origins).count == 1)
  }

  @Test(arguments: [
    ("/path", MartletError.Code.invalidURL, "The URL “/path” is not usable: it has no scheme."),
    ("ws://h/", .unsupportedScheme, "The scheme “ws” is not supported: use http or https."),
    (
      "http://h:0/", .invalidURL,
      "The URL “http://h:0/” is not usable: port 0 is not between 1 and 65535."
    ),
    (
      "http://h:65536", .invalidURL,
      "The URL “http://h:65536” is not usable: port 65536 is not between 1 and 65535."
    ),
    (
      "http://127.0.0.1:18446744073709551696/", .invalidURL,
      "The URL “http://127.0.0.1:18446744073709551696/” is not usable: port 18446744073709551696 is not between 1 and 65535."
    ),
    (
      "http://[::1]:99999999999999999999?x", .invalidURL,
      "The URL “http://[::1]:99999999999999999999?x” is not usable: port 99999999999999999999 is not between 1 and 65535."
    ),
    (
      "http+unix://%2Ftmp%2Fa.sock%00evil/", .invalidURL,
      "The URL “http+unix://%2Ftmp%2Fa.sock%00evil/” is not usable: the path of its socket contains a NUL character."
    ),
    ("mailto:a@b", .unsupportedScheme, "The scheme “mailto” is not supported: use http or https."),
  ])
  func `what has no origin says why`(text: String, code: MartletError.Code, message: String) throws
  {
    let url = try #require(URL(string: text))
    #expect {
      try Origin(of: url)
    } throws: { error in
      let error = error as? MartletError
      return error?.code == code && error?.message == message
    }
  }

  @Test func `text alone makes a GET request`() throws {
    let request = try Request("https://example.com/tern.png", headers: [.accept: "image/png"])
    #expect(request.method == .get)
    #expect(request.url == URL(string: "https://example.com/tern.png"))
    #expect(request.headers == [.accept: "image/png"])
    #expect(throws: MartletError.self) { try Request("tern.png") }
  }

  @Test(arguments: [
    ("http://h", "/"), ("http://h/a/b", "/a/b"), ("http://h/a?b=c&d", "/a?b=c&d"),
    ("http://h?q", "/?q"), ("http://h/a#part", "/a"), ("http://h/a%2Fb", "/a%2Fb"),
    ("http://h/b c", "/b%20c"),
  ])
  func `the target is path and query as they stand in the URL`(text: String, target: String) throws
  {
    #expect(try Request(.get, text).target == target)
  }

  @Test(arguments: HostNameCases.hosts)
  func `an internationalised host is looked up and sent as ASCII (RFC 5890)`(
    text: String, host: String
  ) throws {
    let origin = try Request(.get, text).origin
    #expect(origin.host == host)
    #expect(origin.authority == host)
  }

  @Test(arguments: [
    "http://h%20x/", "http://a%2Fb/", "http://a%00b/", "http://a%0D%0Ab/", "http://a%40b/",
    "http://a%3A80/", "http://%FF/", "http://%C3%BC%2Fb/", "http://%C3%BC%40b/",
    "http://%E2%80%8D%C3%BC.de/",
  ])
  func `a host that is not valid is refused in words`(text: String) {
    let error = #expect(throws: MartletError.self) { try Request(.get, text) }
    #expect(
      error?.message
        == "The URL “\(text)” is not usable: its host is not a valid host name.")
  }

  @Test(arguments: [
    ("localhost", true), ("a.localhost", true), ("127.0.0.1", true), ("127.255.0.9", true),
    ("::1", true), ("127.+1.0.0", false), ("127.-0.0.0", false), ("127.0.0", false),
    ("127.0.0.256", false), ("127.0.0.", false), ("128.0.0.1", false), ("127.0.0.1.com", false),
  ])
  func `names and addresses of this machine are distinguished`(host: String, isLoopback: Bool) {
    let origin = Origin(isSecure: false, endpoint: .host(host, port: 80))
    #expect(origin.isLoopback == isLoopback)
  }

  @Test func `the zone of an address is for this machine only (RFC 6874 §3)`() throws {
    let origin = try Request(.get, "http://[fe80::1%25eth0]:8080/").origin
    #expect(origin.host == "fe80::1%eth0")
    #expect(origin.authority == "[fe80::1]:8080")
  }
}

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
    ("http://h:0/", .invalidURL, "The URL “http://h:0/” is not usable: port 0 does not exist."),
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

  @Test(arguments: [
    ("http://h", "/"), ("http://h/a/b", "/a/b"), ("http://h/a?b=c&d", "/a?b=c&d"),
    ("http://h?q", "/?q"), ("http://h/a#part", "/a"), ("http://h/a%2Fb", "/a%2Fb"),
    ("http://h/b c", "/b%20c"),
  ])
  func `the target is path and query as they stand in the URL`(text: String, target: String) throws
  {
    #expect(try Request(.get, text).target == target)
  }
}

import Foundation
import Martlet
import SpecificationCoverage
import Testing

/// How a path and a base URL become the URL of a request.
@Suite(.timeLimit(.minutes(5)))
struct BaseURLTests {
  @Test(
    .covers("HTM-1"),
    arguments: [
      ("http://h", "http://h"), ("http://h/", "http://h/"), ("http://h/v1", "http://h/v1/"),
      ("http://h/v1/", "http://h/v1/"), ("http://h/v1?x=1", "http://h/v1/?x=1"),
    ])
  func `a base with a path gets a slash at its end`(base: String, expected: String) {
    #expect(HTTPSessionManager(baseURL: URL(string: base)).baseURL?.absoluteString == expected)
  }

  @Test(
    .covers("HTM-2"),
    arguments: [
      ("foo", "http://example.com/v1/foo"), ("foo?bar=baz", "http://example.com/v1/foo?bar=baz"),
      ("/foo", "http://example.com/foo"), ("foo/", "http://example.com/v1/foo/"),
      ("/foo/", "http://example.com/foo/"), ("http://example2.com/", "http://example2.com/"),
      ("", "http://example.com/v1/"),
    ])
  func `a path is resolved against the base`(path: String, expected: String) throws {
    let api = HTTPSessionManager(baseURL: URL(string: "http://example.com/v1/"))
    #expect(try api.request(.get, path).url.absoluteString == expected)
  }

  @Test(.covers("HTM-3"))
  func `without a base a path must be a whole URL`() throws {
    let api = HTTPSessionManager()
    #expect(try api.request(.get, "http://h/x").url.absoluteString == "http://h/x")
    #expect {
      try api.request(.get, "users/7")
    } throws: { error in
      (error as? MartletError)?.message
        == "The URL “users/7” is not usable: it is relative, and there is no base URL."
    }
  }

  @Test(.covers("HTM-3"))
  func `a string that is no URL reaches the failure closure`() async {
    let api = HTTPSessionManager()
    let error = await withCheckedContinuation { continuation in
      let task = api.get("http://[::1", success: { _, _ in }) { task, error in
        #expect(task == nil)
        continuation.resume(returning: error)
      }
      #expect(task == nil)
    }
    #expect(
      error.message
        == "The URL “http://[::1” is not usable: its host is neither a name nor an IPv6 address in brackets, such as [::1]."
    )
  }

  @Test(
    .covers("HTM-2"),
    arguments: [
      ("a|b%20c", "http://h/v1/a%7Cb%20c"), ("/a b%2F", "http://h/a%20b%2F"),
      ("x?q=[1]%20&d=50%", "http://h/v1/x?q=%5B1%5D%20&d=50%25"), ("../é%20", "http://h/%C3%A9%20"),
      ("http://h/[1]%20", "http://h/%5B1%5D%20"),
    ])
  func `what is escaped in a path stays so`(path: String, url: String) throws {
    let api = HTTPSessionManager(baseURL: URL(string: "http://h/v1"))
    #expect(try api.request(.get, path).url.absoluteString == url)
    let whole = try HTTPSessionManager().request(.get, "http://h/a|b%20")
    #expect(whole.url.absoluteString == "http://h/a%7Cb%20")
  }

  @Test(arguments: ["", "/", "/v1", "/v1/"])
  func `a base whose port does not exist has no default port in its place`(path: String) throws {
    let base = URL(string: "http://127.0.0.1:18446744073709551696\(path)")
    let api = HTTPSessionManager(baseURL: base)
    for path in ["users", "/users", "a b", ""] {
      let request = try api.request(.get, path)
      let error = #expect(throws: MartletError.self) { try request.origin }
      #expect(
        error?.message.hasSuffix("port 18446744073709551696 is not between 1 and 65535.") == true)
    }
  }

  @Test(arguments: [
    "http://h", "http://h/", "http://h:8080/v1", "https://u:p@h/a/b/?q=1#f", "http://[::1]/x",
    "http://h/a%20b", "http+unix://%2Frun%2Fapp.sock/v1",
  ])
  func `a plain path resolves as any other does`(base: String) throws {
    let api = HTTPSessionManager(baseURL: URL(string: base))
    let paths = [
      "users", "/users", "users/7", "/users/7/", "a-b_C9", "users//7", "//h2/x", "a/./b", "../x",
      "/..", "x?q=1",
      "ü", "a b", "mailto:x", "%41", "a.b", "",
    ]
    for path in paths {
      let url = path.isEmpty ? api.baseURL : URL(string: path, relativeTo: api.baseURL)
      let expected = Request(url: try #require(url).absoluteURL)
      let made = try api.request(.get, path)
      #expect(made.url.absoluteString == expected.url.absoluteString)
      #expect(made.target == expected.target)
      #expect((try? made.origin) == (try? expected.origin))
    }
  }
}

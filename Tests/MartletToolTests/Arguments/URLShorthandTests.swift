import Testing

@testable import MartletTool

struct URLShorthandTests {
  @Test(arguments: [
    (":8080/x", "http://localhost:8080/x"),
    (":8080", "http://localhost:8080"),
    (":/x", "http://localhost/x"),
    (":", "http://localhost"),
    ("example.com", "http://example.com"),
    ("localhost:8080/x", "http://localhost:8080/x"),
    ("https://example.com", "https://example.com"),
    ("HTTPS://example.com", "HTTPS://example.com"),
    ("ftp://example.com", "ftp://example.com"),
    ("http+unix://%2Ftmp%2Fs/x", "http+unix://%2Ftmp%2Fs/x"),
    ("example.com/?next=http://h/", "http://example.com/?next=http://h/"),
    ("[::1]:8080/x", "http://[::1]:8080/x"),
  ])
  func `a URL as people type it becomes a whole one`(text: String, whole: String) {
    #expect(URLShorthand.expand(text) == whole)
  }
}

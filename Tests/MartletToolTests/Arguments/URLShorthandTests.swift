import Testing

@testable import MartletTool

struct URLShorthandTests {
  @Test(arguments: [
    (":8080/x", "http://localhost:8080/x"),
    (":8080", "http://localhost:8080"),
    (":/x", "http://localhost/x"),
    (":?q=1", "http://localhost?q=1"),
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
  func `a URL as people type it becomes a whole one`(text: String, whole: String) throws {
    #expect(try URLShorthand.expand(text) == whole)
  }

  @Test(arguments: [":foo", ":foo:80/x", ":.example", ":-1"])
  func `a colon before a name is an error`(text: String) {
    let failure = ToolFailure.usage(
      "“\(text)” is not a URL: write a port or a path after the colon, such as :8080/x or :/x, or leave out the colon."
    )
    #expect(throws: failure) { try URLShorthand.expand(text) }
    #expect(throws: failure) { try PositionalArguments(["GET", text]) }
  }

  @Test(arguments: [
    "http://h/", "ftp://h/", "localhost", "localhost/x", "localhost:8899", "localhost:8899/b",
    "LOCALHOST:1?x=1", "mirror:8080/b.iso", "example.com", "example.com/b", "example.com:80",
    "example.com?x=1", "example.com/b?x=1&y==2", "a.example/x=1", "10.0.0.1:80/b", "[::1]:8080/x",
    "[::1]", ":8080/x", ":/x", ":8080", "bücher.example/b",
  ])
  func `a word that reads as a URL`(word: String) {
    #expect(URLShorthand.looksLikeURL(word))
  }

  @Test(arguments: [
    "", "X-Trace:1", "DNT:1", "Range:bytes=0-1", "Range:0", "Max-Forwards:10", "Accept:", "Accept;",
    "name=x", "user.name=Ada", "user.name:=1", "user.name==x", "a.b@file.txt", "@file.txt", "a/b=1",
    "x=http://h/", "q==localhost:80/x", "X:http://h/", "Host:example.com", "[a]=1", "[]=1",
    "[0][a]=1", "X-Time:12:30", "file", "a b.c",
  ])
  func `a word that reads as an item, or as nothing`(word: String) {
    #expect(!URLShorthand.looksLikeURL(word))
  }
}

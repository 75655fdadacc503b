import Testing

@testable import MartletTool

struct PositionalArgumentsTests {
  @Test func `one word is the URL`() throws {
    let arguments = try PositionalArguments(["localhost"])
    #expect(arguments.method == nil)
    #expect(arguments.url == "http://localhost")
  }

  @Test(arguments: [
    ("GET", "GET"), ("post", "POST"), ("Delete", "DELETE"), ("PROPFIND", "PROPFIND"),
  ])
  func `a first word that looks like a method is one`(word: String, method: String) throws {
    let arguments = try PositionalArguments([word, ":8080"])
    #expect(arguments.method == method)
    #expect(arguments.url == "http://localhost:8080")
  }

  @Test func `a host without dots is not taken for a method`() throws {
    let arguments = try PositionalArguments(["localhost", "a=b"])
    #expect(arguments.method == nil)
    #expect(arguments.url == "http://localhost")
    #expect(arguments.items == [.field("a", .text("b"))])
  }

  @Test(arguments: ["GET", "POST", "DELETE"])
  func `a method alone is no host`(method: String) {
    #expect(throws: ToolFailure.usage("There is no URL: write one after \(method).")) {
      try PositionalArguments([method])
    }
  }

  @Test func `a host may be called like a method`() throws {
    #expect(try PositionalArguments(["get"]).url == "http://get")
    #expect(try PositionalArguments(["http://GET"]).url == "http://GET")
  }

  @Test func `without a URL there is nothing to do`() {
    #expect(throws: ToolFailure.usage("There is no URL: write one.")) {
      try PositionalArguments([])
    }
  }

  @Test func `further words with a scheme are URLs`() throws {
    let arguments = try PositionalArguments([
      "h/a", "https://h/b", "X:y", "HTTP://h/c", "http:x", "q==http://h/d", "ftp://h/e",
    ])
    #expect(arguments.url == "http://h/a")
    #expect(arguments.furtherURLs == ["https://h/b", "HTTP://h/c", "ftp://h/e"])
    #expect(arguments.items.count == 3)
  }

  @Test func `of downloads, further words that read as URLs are some`() throws {
    let arguments = try PositionalArguments(
      ["localhost:8899/a", "localhost:8899/b", ":8899/c", "example.com/d?x=1", "X-Trace:1"],
      isURL: URLShorthand.looksLikeURL)
    #expect(
      arguments.furtherURLs == [
        "http://localhost:8899/b", "http://localhost:8899/c", "http://example.com/d?x=1",
      ])
    #expect(arguments.items == [.header("X-Trace", .text("1"))])
    #expect(
      try PositionalArguments(["a", "localhost:8899/b"]).items
        == [.header("localhost", .text("8899/b"))])
  }
}

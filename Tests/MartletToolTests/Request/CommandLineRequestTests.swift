import EssentialFoundation
import Foundation
import Martlet
import NIOCore
import Testing

@testable import MartletTool

@Suite(.timeLimit(.minutes(5)))
struct CommandLineRequestTests {
  private func request(
    _ words: String..., encoding: FieldEncoding? = nil, input: RequestBody? = nil
  ) throws -> Request {
    let words = try PositionalArguments(words)
    let described = CommandLineRequest(
      method: words.method, url: words.url, items: words.items, encoding: encoding)
    return try described.request(input: input)
  }

  private func text(_ body: RequestBody) -> String? {
    if case .bytes(let bytes) = body.source { String(buffer: bytes) } else { nil }
  }

  /// The text of a body that is read while it is sent.
  private func collected(_ body: RequestBody) async throws -> String {
    guard case .producer(let produce) = body.source else { return text(body) ?? "" }
    let text = Locked("")
    try await produce { chunk in text.withLock { $0 += String(buffer: chunk) } }
    return text.current
  }

  // MARK: Method

  @Test func `without a body the method is GET, with one it is POST`() throws {
    #expect(try request(":", "q==tern", "X:1").method == .get)
    #expect(try request(":", "name=Tern").method == .post)
    #expect(try request(":", input: .text("x")).method == .post)
    #expect(try request("PUT", ":", "name=Tern").method == .put)
    #expect(try request("GET", ":", "name=Tern").method == .get)
  }

  @Test(arguments: ["", "P T"])
  func `a method that is none is refused, and the error says what a method may not be`(
    method: String
  ) {
    let error = #expect(throws: MartletError.self) {
      try CommandLineRequest(method: method, url: "http://h/").request()
    }
    #expect(
      error?.message
        == #"“\#(method)” is not a method: it may not be empty, and may not hold blanks, control characters, characters outside ASCII, or any of “"(),/:;<=>?@[\]{}”."#
    )
  }

  // MARK: URL

  @Test func `parameters go to the end of the query in their order`() throws {
    #expect(
      try request("http://h/p?x=1#part", "q==a b&c", "q==ü").url.absoluteString
        == "http://h/p?x=1&q=a%20b%26c&q=%C3%BC#part")
    #expect(try request("http://h", "q==1").url.absoluteString == "http://h?q=1")
    #expect(try request("http://h/?", "q==").url.absoluteString == "http://h/?q=")
  }

  @Test func `what is escaped in a URL stays so, and parameters are escaped whole`() throws {
    #expect(
      try request("http://h/a|b%20?x=[1]%5B", "q==50%20").url.absoluteString
        == "http://h/a%7Cb%20?x=%5B1%5D%5B&q=50%2520")
    #expect(try request(":8080/[1]%20").target == "/%5B1%5D%20")
  }

  // MARK: Body

  @Test func `fields are a JSON object in their order, of several with one name the last`() throws {
    let request = try request(":", "b=1", "a:=[1.50, {}]", "q=\"\\\n\u{1}", "b=2")
    #expect(text(request.body) == #"{"b": "2", "a": [1.50, {}], "q": "\"\\\n\u0001"}"#)
    #expect(request.headers[.contentType] == "application/json")
    #expect(request.headers[.accept] == "application/json, */*;q=0.5")
  }

  @Test func `fields are a form when asked`() throws {
    let request = try request(":", "a=1 & 2", "a=ü", "b=", encoding: .form)
    #expect(text(request.body) == "a=1%20%26%202&a=%C3%BC&b=")
    #expect(
      request.headers[.contentType] == "application/x-www-form-urlencoded; charset=utf-8")
    #expect(request.headers[.accept] == "*/*")
  }

  @Test func `a raw field that is no JSON is refused`() {
    let sentence =
      "The field “grams” is not valid JSON: “12g”; write field=value for a text."
    #expect(throws: ToolFailure.usage(sentence)) { try request(":", "grams:=12g") }
  }

  @Test func `brackets of a form's names stay as they are`() throws {
    #expect(
      text(try request(":", "user[name]=Ada", encoding: .form).body) == "user%5Bname%5D=Ada")
  }

  @Test(arguments: [FieldEncoding.form, .multipart])
  func `a field of a form has a name`(encoding: FieldEncoding) {
    let sentence = "A field of a form needs a name: write one before “=”."
    #expect(throws: ToolFailure.usage(sentence)) { try request(":", "=x", encoding: encoding) }
  }

  @Test func `a body that is a file stands alone`() {
    let second =
      "There are several files for the body, which can be one file only: leave the others out, or name them, as in field@file."
    #expect(throws: ToolFailure.usage(second)) { try request(":", "@a", "@b") }
    let fields =
      "“@a” is the whole body, so there can be no fields: leave it or the fields out, or write field@a."
    #expect(throws: ToolFailure.usage(fields)) { try request(":", "b=1", "@a") }
    let form =
      "“@a” has no name, which a part of a form needs: write field@a, or leave out --form and --multipart."
    #expect(throws: ToolFailure.usage(form)) { try request(":", "@a", encoding: .form) }
  }

  @Test func `a form holds no raw JSON`() {
    let sentence =
      "The field “grams” is raw JSON, which a form cannot hold: write field=value, or leave out --form."
    #expect(throws: ToolFailure.usage(sentence)) {
      try request(":", "grams:=12", encoding: .form)
    }
  }

  @Test func `files make a form of several parts`() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).png")
    try Data("tern".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    for encoding in [nil, .form, .multipart] as [FieldEncoding?] {
      let request = try request(":", "a=1", "f@\(file.path)", "a=ü", encoding: encoding)
      let type = try #require(request.headers[.contentType])
      #expect(type.hasPrefix("multipart/form-data; boundary=Boundary+"))
      let boundary = String(type.suffix(25))
      #expect(request.headers[.accept] == "*/*")
      #expect(
        try await collected(request.body).replacing(boundary, with: "B") == """
          --B\r
          Content-Disposition: form-data; name="a"\r
          \r
          1\r
          --B\r
          Content-Disposition: form-data; name="f"; filename="\(file.lastPathComponent)"\r
          Content-Type: image/png\r
          \r
          tern\r
          --B\r
          Content-Disposition: form-data; name="a"\r
          \r
          ü\r
          --B--\r\n
          """)
    }
    let typed = try request(":", "f@\(file.path);type=a/b")
    #expect(try await collected(typed.body).contains("Content-Type: a/b\r\n\r\ntern"))
  }

  @Test func `fields are a form of several parts when asked`() throws {
    let request = try request(":", "a=1", encoding: .multipart)
    #expect(text(request.body)?.contains("name=\"a\"\r\n\r\n1\r\n--") == true)
  }

  @Test func `what a form with files cannot be is refused with a sentence`() {
    let json = "There are files to send, which JSON cannot hold: leave out --json."
    #expect(throws: ToolFailure.usage(json)) { try request(":", "a@b", encoding: .json) }
    let raw =
      "The field “n” is raw JSON, which a form cannot hold: write field=value, or leave out --form."
    #expect(throws: ToolFailure.usage(raw)) { try request(":", "n:=1", encoding: .multipart) }
    let type =
      "A multipart form sets its own Content-Type, which contains the boundary between the parts: leave that header out."
    #expect(throws: ToolFailure.usage(type)) {
      try request(":", "a=1", "Content-Type:a/b", encoding: .multipart)
    }
    #expect {
      try request(":", "a@/nowhere")
    } throws: {
      ($0 as? MartletError)?.message
        == "File URL not reachable: “/nowhere” does not exist or cannot be read."
    }
  }

  @Test func `a body from standard input is JSON unless it is said to be something else`() throws {
    #expect(
      try request(":", input: .text("{}")).headers[.contentType] == "application/json")
    #expect(
      try request(":", "Content-Type:text/plain", input: .text("x")).headers[.contentType]
        == "text/plain")
  }

  // MARK: Headers

  @Test func `the default headers are few`() throws {
    let fields = try request(":").headers.map { "\($0.name): \($0.value)" }
    #expect(fields == ["User-Agent: martlet/0.1.0", "Accept: */*"])
  }

  @Test func `an item replaces a default, removes it, or empties it`() throws {
    let headers = try request(":", "user-agent:x", "Accept:", "X-Empty;", "X:1", "X:2").headers
    #expect(headers[.userAgent] == "x")
    #expect(!headers.contains(.accept))
    #expect(
      headers.map { "\($0.name): \($0.value)" } == ["user-agent: x", "X-Empty: ", "X: 1", "X: 2"])
  }

  @Test func `a line break in a header is refused`() {
    let error = #expect(throws: MartletError.self) { try request(":", "X:a\r\nb") }
    #expect(error?.code == .invalidHeader)
  }

  // MARK: As text

  @Test func `the request as text is what goes over the wire`() throws {
    let text = RequestText(
      request: try request("http://h:81/p", "a=1", encoding: .form), version: .http1)
    #expect(
      text.head == [
        "POST /p HTTP/1.1", "Host: h:81", "User-Agent: martlet/0.1.0", "Accept: */*",
        "Content-Type: application/x-www-form-urlencoded; charset=utf-8", "Content-Length: 3",
      ])
    #expect(text.body == Array("a=1".utf8))
  }
}

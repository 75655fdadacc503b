import Foundation
import HTTPTypes
import MartletCore
import Testing

@testable import Martlet
@testable import MartletEssentials

/// What answers mean for the bytes that are there, decided without any.
struct ResumeDecisionTests {
  private let data: ResumeData

  init() throws {
    let url = try #require(URL(string: "http://h/big"))
    var data = ResumeData(url: url, file: URL(fileURLWithPath: "/nowhere"), received: 10)
    data.entityTag = "\"a\""
    data.length = 30
    self.data = data
  }

  private func decision(
    _ status: Int, _ fields: KeyValuePairs<String, String> = [:], after data: ResumeData? = nil,
    from url: URL? = nil
  ) throws -> ResumeDecision {
    let head = ResponseHead(
      status: HTTPResponse.Status(code: status), headers: try HTTPFields(validating: fields))
    return ResumeDecision(head, from: url ?? self.data.url, resuming: (data ?? self.data).position)
  }

  @Test func `the bytes that were missing are appended`() throws {
    #expect(try decision(206, ["Content-Range": "bytes 10-29/30"]) == .append(10..<30, total: 30))
    let fields: KeyValuePairs = [
      "Content-Range": "Bytes 10-29/*", "Content-Length": "20", "ETag": "\"a\"",
    ]
    #expect(try decision(206, fields) == .append(10..<30, total: 30))
  }

  @Test func `a part from another path is refused, from another host or query it is not`() throws {
    var known = data
    known.path = "/big"
    func result(_ text: String) throws -> ResumeDecision {
      let url = try #require(URL(string: text))
      let fields: KeyValuePairs = ["Content-Range": "bytes 10-29/30", "ETag": "\"a\""]
      return try decision(206, fields, after: known, from: url)
    }
    #expect(try result("http://h/big") == .append(10..<30, total: 30))
    #expect(try result("http://mirror/big?signature=2") == .append(10..<30, total: 30))
    #expect(try result("http://h/other") == .restart)
    // An escape is no slash (RFC 3986 §2.2).
    known.path = "/a%2Fb"
    #expect(try result("http://h/a%2Fb") == .append(10..<30, total: 30))
    #expect(try result("http://h/a/b") == .restart)
  }

  @Test func `a date is compared only if there is no entity tag`() throws {
    var both = data
    both.lastModified = "Sun, 06 Nov 1994 08:49:37 GMT"
    let fields: KeyValuePairs = [
      "Content-Range": "bytes 10-29/30", "Last-Modified": "Sun, 06 Nov 1994 08:49:38 GMT",
    ]
    #expect(try decision(206, fields, after: both) == .append(10..<30, total: 30))
  }

  @Test func `fewer than all that are missing are welcome`() throws {
    #expect(try decision(206, ["Content-Range": "bytes 10-19/30"]) == .append(10..<20, total: 30))
  }

  @Test(arguments: [200, 203, 299]) func `a whole body starts over`(status: Int) throws {
    #expect(try decision(status, ["ETag": "\"b\""]) == .startOver)
    #expect(try decision(status, ["ETag": "\"a\""]) == .startOver)
  }

  @Test func `a part of something else is not appended, whatever the server makes of If-Range`()
    throws
  {
    let other: KeyValuePairs = ["Content-Range": "bytes 10-29/30", "ETag": "\"b\""]
    #expect(try decision(206, other) == .restart)
    #expect(try decision(206, ["Content-Range": "bytes 10-39/40"]) == .restart)
    let compressed: KeyValuePairs = [
      "Content-Range": "bytes 10-29/30", "Content-Encoding": "gzip", "ETag": "\"a\"",
    ]
    #expect(try decision(206, compressed) == .restart)
    var dated = data
    dated.entityTag = nil
    dated.lastModified = "Sun, 06 Nov 1994 08:49:37 GMT"
    let younger: KeyValuePairs = [
      "Content-Range": "bytes 10-29/30", "Last-Modified": "Sun, 06 Nov 1994 08:49:38 GMT",
    ]
    #expect(try decision(206, younger, after: dated) == .restart)
  }

  @Test(arguments: ["bytes 0-29/30", "bytes 11-29/30", "bytes */30", "bytes 29-10/30", "10-29/30"])
  func `another part than the one asked for is refused`(field: String) throws {
    #expect(try decision(206, ["Content-Range": field]) == .wrongRange(field))
  }

  @Test func `a part that does not say which is refused`() throws {
    let several: KeyValuePairs = ["Content-Type": "multipart/byteranges; boundary=x"]
    #expect(try decision(206, several) == .wrongRange(nil))
  }

  @Test func `a length that does not fit the part is refused`() throws {
    let fields: KeyValuePairs = ["Content-Range": "bytes 10-29/30", "Content-Length": "25"]
    #expect(try decision(206, fields) == .wrongLength(announced: 20, sent: 25))
  }

  @Test func `where there is nothing behind what is there, it is whole`() throws {
    var whole = data
    whole.received = 30
    #expect(try decision(416, ["Content-Range": "bytes */30"], after: whole) == .complete)
    #expect(try decision(416, after: whole) == .complete)
    whole.length = nil
    #expect(try decision(416, ["Content-Range": "bytes */30"], after: whole) == .complete)
    #expect(try decision(416, after: whole) == .restart)
  }

  @Test func `where there is less than what is there, it is something else`() throws {
    #expect(try decision(416, ["Content-Range": "bytes */5"]) == .restart)
    var whole = data
    whole.received = 30
    let other: KeyValuePairs = ["Content-Range": "bytes */30", "ETag": "\"b\""]
    #expect(try decision(416, other, after: whole) == .restart)
  }

  @Test func `a length that contradicts the one from before is of something else`() throws {
    var whole = data
    whole.received = 20
    // The whole had 30 bytes, and there are 20.
    #expect(try decision(416, ["Content-Range": "bytes */20"], after: whole) == .restart)
    let same: KeyValuePairs = ["Content-Range": "bytes */20", "ETag": "\"a\""]
    #expect(try decision(416, same, after: whole) == .restart)
    #expect(try decision(206, ["Content-Range": "bytes 20-39/*"], after: whole) == .restart)
    whole.length = nil
    #expect(try decision(416, same, after: whole) == .complete)
  }

  @Test(arguments: [199, 300, 304, 401, 404, 410, 429, 500, 503])
  func `a server that has nothing to give now leaves what is there alone`(status: Int) throws {
    #expect(try decision(status) == .reject)
  }

  // MARK: What goes into resume data

  private func left(
    _ fields: KeyValuePairs<String, String>, status: Int = 200, method: HTTPRequest.Method = .get
  ) throws -> ResumeData {
    let head = ResponseHead(
      status: HTTPResponse.Status(code: status), headers: try HTTPFields(validating: fields))
    return ResumeData(
      Request(method, url: data.url), head, from: data.url, file: URL(fileURLWithPath: "/nowhere"))
  }

  @Test func `a strong entity tag is a validator, a weak one is not`() throws {
    #expect(try left(["ETag": "\"a\""]).validator == "\"a\"")
    #expect(try left(["ETag": "W/\"a\""]).validator == nil)
    #expect(try left(["ETag": "a"]).validator == nil)
  }

  @Test func `the path is kept as it was escaped`() throws {
    let url = try #require(URL(string: "http://h/a%2Fb"))
    let head = ResponseHead(status: .ok, headers: [.eTag: "\"a\""])
    let position = BodyPosition(Request(url: url), head, from: url)
    #expect(position.path == "/a%2Fb")
    #expect(position.received == 0)
  }

  @Test func `the rest is requested without a coding, unless the caller has chosen one`() throws {
    var request = Request(url: data.url)
    try data.position.addRangeFields(to: &request)
    #expect(request.headers[.acceptEncoding] == "identity")
    #expect(request.headers[.range] == "bytes=10-")
    #expect(request.headers[.ifRange] == "\"a\"")
    request.headers[.acceptEncoding] = "br"
    try data.position.addRangeFields(to: &request)
    #expect(request.headers[.acceptEncoding] == "br")
  }

  @Test(arguments: [(-1, false), (0, false), (1, true), (30, true), (31, false)])
  func `resume data is of use from the first byte to the last`(received: Int64, isUsable: Bool) {
    var data = data
    data.received = received
    #expect(data.isUsable == isUsable)
  }

  @Test func `a folder is no partial file`() {
    var data = data
    data.file = FileManager.default.temporaryDirectory
    let error = #expect(throws: MartletError.self) { try data.checked() }
    #expect(error?.code == MartletError.partialFileGone(data.file).code)
  }

  @Test func `a date is one when it is older than the response`() throws {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    let later: KeyValuePairs = ["Last-Modified": date, "Date": "Sun, 06 Nov 1994 08:49:38 GMT"]
    #expect(try left(later).validator == date)
    #expect(try left(["Last-Modified": date, "Date": date]).validator == nil)
    #expect(try left(["Last-Modified": date]).validator == nil)
    #expect(try left(["Last-Modified": "yesterday", "Date": date]).validator == nil)
  }

  @Test func `what cannot be had in parts has no validator`() throws {
    #expect(try left(["ETag": "\"a\"", "Content-Encoding": "gzip"]).validator == nil)
    #expect(try left(["ETag": "\"a\"", "Accept-Ranges": "none"]).validator == nil)
    #expect(try left(["ETag": "\"a\""], status: 404).validator == nil)
    #expect(try left(["ETag": "\"a\""], method: .post).validator == nil)
  }

  @Test func `lengths and digests are kept`() throws {
    let left = try left(["Content-Length": "30", "Repr-Digest": "sha-256=:AA==:", "ETag": "\"a\""])
    #expect(left.length == 30)
    #expect(left.digest == "sha-256=:AA==:")
    #expect(try self.left(["Content-Length": "3", "Transfer-Encoding": "chunked"]).length == nil)
  }

  // MARK: Kept elsewhere

  @Test func `resume data can be kept as JSON and as a property list`() throws {
    var data = data
    data.headers = [.authorization: "secret", .accept: "*/*"]
    data.lastModified = "Sun, 06 Nov 1994 08:49:37 GMT"
    let json = try JSONDecoder().decode(ResumeData.self, from: JSONEncoder().encode(data))
    #expect(json == data)
    let list = try PropertyListDecoder().decode(
      ResumeData.self, from: PropertyListEncoder().encode(data))
    #expect(list == data)
  }

  @Test(arguments: [
    (#""received":10"#, #""received":-1"#), (#""received":10"#, #""received":31"#),
    (#""received":10"#, #""received":"ten""#), (#"file:\/\/\/nowhere"#, #"http:\/\/h\/x"#),
    ("{", "["),
  ])
  func `corrupted resume data is an error`(part: String, corrupted: String) throws {
    let text = String(decoding: try JSONEncoder().encode(data), as: UTF8.self)
    let bad = text.replacing(part, with: corrupted)
    #expect(bad != text)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(ResumeData.self, from: Data(bad.utf8))
    }
  }

  @Test(arguments: [70_000, 1])
  func `header fields that no message can have are an error`(count: Int) throws {
    let name = count == 1 ? ":path" : "x"
    let field = #"{"name":"\#(name)","value":"y"}"#
    let fields = Array(repeating: field, count: count).joined(separator: ",")
    let text = #"{"url":"http://h/","file":"file:///x","received":1,"headers":[\#(fields)]}"#
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(ResumeData.self, from: Data(text.utf8))
    }
  }

  @Test func `secrets are masked`() throws {
    var data = data
    data.url = try #require(URL(string: "http://user:password@h/big"))
    data.headers = [.authorization: "secret"]
    #expect(data.description == "<ResumeData: 10 of 30 bytes of http://***@h/big>")
    var text = ""
    dump(data, to: &text)
    #expect(!text.contains("secret") && !text.contains("password"))
  }
}

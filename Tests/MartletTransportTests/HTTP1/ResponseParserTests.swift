import HTTPTypes
import MartletCore
import NIOCore
import Testing

@testable import MartletTransport

/// What the bytes of a response mean (RFC 9112).
struct ResponseParserTests {
  @Test(arguments: [
    (HTTPRequest.Method.get, "101 Switching Protocols"), (.connect, "200 OK"),
    (.connect, "204 None"),
  ])
  func `what follows a switch is no part of HTTP`(method: HTTPRequest.Method, status: String) throws
  {
    let parsed = try Parsed(
      "HTTP/1.1 \(status)\r\nContent-Length: 2\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", method: method)
    #expect(parsed.isSwitched)
    #expect(parsed.head.map { "\($0.status)" } == status)
    #expect(parsed.body.isEmpty)
    #expect(!parsed.isComplete)
    #expect(!parsed.isPersistent)
    #expect(parsed.hasSurplus)
  }

  @Test(arguments: [1, 2, 7, 4096])
  func `a response with a length is the same however it is cut`(size: Int) throws {
    let parsed = try Parsed(
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello", by: size)
    #expect(parsed.head?.status == .ok)
    #expect(parsed.head?.headers[.contentType] == "text/plain")
    #expect(parsed.body == "hello")
    #expect(parsed.isComplete)
    #expect(parsed.isPersistent)
  }

  @Test func `what has been read is let go of, wherever the pieces end`() throws {
    var parser = ResponseParser(headLimit: 1 << 16)
    parser.begin(.get)
    parser.append(ByteBuffer(string: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1"))
    // Each piece ends within the line with the size of the next chunk.
    let piece = ByteBuffer(string: "000\r\n" + String(repeating: "x", count: 4096) + "\r\n1")
    var held: [ByteBuffer] = []
    for _ in 0..<1_000 {
      parser.append(piece)
      while let part = try parser.next() { if case .body(let bytes) = part { held.append(bytes) } }
      #expect(parser.pending.capacity <= 1 << 16)
    }
    #expect(held.reduce(0) { $0 + $1.readableBytes } == 4_096_000)
  }

  @Test(arguments: [1, 3, 4096])
  func `chunks are joined, extensions ignored and trailers kept`(size: Int) throws {
    let parsed = try Parsed(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "5;a=b\r\nhello\r\n6 \r\n world\r\n0\r\nX-Sum: 11\r\n\r\n", by: size)
    #expect(parsed.body == "hello world")
    #expect(parsed.trailers?[try HTTPField.Name(validating: "X-Sum")] == "11")
    #expect(parsed.isPersistent)
  }

  @Test(arguments: ["\r\n", "\n"]) func `chunks may end in a bare LF (RFC 9112 §2.2)`(end: String)
    throws
  {
    let chunks = ["5", "hello", "000000000000006", " world", "0", "", ""]
    let parsed = try Parsed(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks.joined(separator: end))
    #expect(parsed.body == "hello world")
    #expect(parsed.isComplete)
  }

  @Test(arguments: ["X\n", "\rX", "\rX\n", "X\r\n"])
  func `a chunk is followed by the end of a line (RFC 9112 §7.1)`(end: String) {
    let error = #expect(throws: MartletError.self) {
      try Parsed(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\(end)0\r\n\r\n")
    }
    #expect(error?.code == .malformedResponse)
  }

  @Test(
    arguments: [
      (" b", true), ("\t", true), ("~", true), ("\u{80}", true), ("\u{1F}", false),
      ("\u{7F}", false), ("\u{8}", false),
    ])
  func `an extension of a chunk has no control characters but tabs (RFC 9112 §7.1.1)`(
    text: String, isAllowed: Bool
  ) {
    let body = try? Parsed(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=\(text)\r\nhi\r\n0\r\n\r\n"
    ).body
    #expect(body == (isAllowed ? "hi" : nil))
  }

  @Test func `the line with the size of a chunk has at most 4096 bytes`() throws {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;"
    let longest = head + String(repeating: "x", count: 4094)
    #expect(try Parsed(longest).head != nil)
    let error = #expect(throws: MartletError.self) { try Parsed(longest + "x") }
    #expect(error?.code == .malformedResponse)
  }

  @Test(arguments: [1, 4096, .max])
  func `the line with the size of a chunk is as long, however it arrives`(size: Int) throws {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    let longest = "2;" + String(repeating: "x", count: 4093)
    let rest = "\r\nhi\r\n0\r\n\r\n"
    // Each piece is a search from the beginning of the line, so that pieces of one byte come near its end only.
    let begin = head.utf8.count + longest.utf8.count - 64
    #expect(try Parsed(head + longest + rest, by: size, after: begin).body == "hi")
    for more in ["x", "xx", "xx\u{1}"] {
      let error = #expect(throws: MartletError.self) {
        try Parsed(head + longest + more + rest, by: size, after: begin)
      }
      #expect(error?.message.contains("the size line of a chunk is too long") == true)
    }
  }

  @Test func `fields keep their order, duplicates and spelling`() throws {
    let parsed = try Parsed(
      "HTTP/1.1 200 OK\r\nset-cookie: a=1\r\nX-B: 2\r\nSet-Cookie: c=3\r\nContent-Length: 0\r\n\r\n"
    )
    #expect(
      parsed.head?.headers.map { "\($0.name.rawName)=\($0.value)" }
        == ["set-cookie=a=1", "X-B=2", "Set-Cookie=c=3", "Content-Length=0"])
  }

  @Test func `a folded field becomes one line (RFC 9112 §5.2)`() throws {
    let parsed = try Parsed("HTTP/1.1 204 No Content\r\nX-Long: one\r\n\ttwo\r\n  three\r\n\r\n")
    #expect(parsed.head?.headers[try HTTPField.Name(validating: "X-Long")] == "one two three")
  }

  @Test func `lines may end in a bare LF (RFC 9112 §2.2)`() throws {
    let parsed = try Parsed("HTTP/1.1 200 OK\nContent-Length: 2\n\nhi")
    #expect(parsed.body == "hi")
  }

  @Test func `an empty reason phrase is allowed, with and without its blank`() throws {
    #expect(try Parsed("HTTP/1.1 204 \r\n\r\n").head?.status.code == 204)
    #expect(try Parsed("HTTP/1.1 204\r\n\r\n").head?.status.code == 204)
  }

  @Test func `a reason phrase of the server's own is kept`() throws {
    let status = try Parsed("HTTP/1.1 299 Quite Fine\r\nContent-Length: 0\r\n\r\n").head?.status
    #expect(status?.code == 299)
    #expect(status?.reasonPhrase == "Quite Fine")
  }

  @Test func `interim responses come before the final one`() throws {
    let parsed = try Parsed(
      "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
    )
    #expect(parsed.interim == [103])
    #expect(parsed.head?.status == .ok)
  }

  @Test func `interim responses are limited by their size, not by their number`() throws {
    let progress = "HTTP/1.1 102 Processing\r\n\r\n"
    let final = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
    #expect(try Parsed(String(repeating: progress, count: 1000) + final).head?.status == .ok)
    let error = #expect(throws: MartletError.self) {
      try Parsed(String(repeating: progress, count: 20_000) + final)
    }
    #expect(error?.code == .headTooLarge)
  }

  @Test(arguments: [("HEAD", 200), ("GET", 204), ("GET", 304)])
  func `some responses have no body whatever their fields say (RFC 9112 §6.3)`(
    method: String, status: Int
  ) throws {
    let parsed = try Parsed(
      "HTTP/1.1 \(status) X\r\nContent-Length: 9\r\n\r\n", method: method == "HEAD" ? .head : .get)
    #expect(parsed.isComplete)
    #expect(parsed.body.isEmpty)
    #expect(parsed.isPersistent)
  }

  @Test func `without a length the body ends with the connection`() throws {
    let parsed = try Parsed("HTTP/1.1 200 OK\r\n\r\nall of it", closes: true)
    #expect(parsed.body == "all of it")
    #expect(parsed.isComplete)
    #expect(!parsed.isPersistent)
  }

  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", false),
    ("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", false),
    ("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n", true),
    ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", true),
    ("HTTP/1.1 200 OK\r\nConnection: x\r\nContent-Length: 0\r\n\r\n", true),
    ("HTTP/1.1 200 OK\r\nConnection: x, Close\r\nContent-Length: 0\r\n\r\n", false),
    ("HTTP/1.0 200 OK\r\nConnection: x, Keep-Alive\r\nContent-Length: 0\r\n\r\n", true),
    ("HTTP/1.1 200 OK\r\n\r\nuntil the end", false),
    (
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", false
    ),
  ])
  func `a connection is kept only when the response allows it (RFC 9112 §9.3)`(
    text: String, isPersistent: Bool
  ) throws {
    #expect(try Parsed(text).isPersistent == isPersistent)
  }

  @Test func `the same length twice is one length (RFC 9112 §6.3)`() throws {
    #expect(try Parsed("HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nhi").body == "hi")
  }

  @Test(arguments: [
    ("SSH-2.0-OpenSSH\r\n\r\n", "its status line is “SSH-2.0-OpenSSH”"),
    ("HTTP/2 200\r\n\r\n", "its status line is “HTTP/2 200”"),
    ("HTTP/1.1 20 OK\r\n\r\n", "its status line is “HTTP/1.1 20 OK”"),
    ("HTTP/1.1 099 Odd\r\n\r\n", "its status line is “HTTP/1.1 099 Odd”"),
    ("HTTP/1.1 2000 OK\r\n\r\n", "its status line is “HTTP/1.1 2000 OK”"),
    ("HTTP/1.1 200 OK\r\nNo colon\r\n\r\n", "a header line is “No colon”"),
    ("HTTP/1.1 200 OK\r\nBad Name: x\r\n\r\n", "a header line is “Bad Name: x”"),
    ("HTTP/1.1 200 OK\r\n folded\r\n\r\n", "its first header line begins with a blank"),
    (
      "HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n",
      "the value of its header “X” holds a control character"
    ),
    (
      "HTTP/1.1 200 OK\r\nContent-Length: 5, 6\r\n\r\n",
      "it has two different Content-Length values, “5, 6”"
    ),
    (
      "HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\n",
      "its Content-Length is “+5”, which is not a number"
    ),
    (
      "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n",
      "its Content-Length is “9223372036854775807”, which is larger than any body can be"
    ),
    (
      "HTTP/1.1 200 OK\r\nContent-Length: 2,\r\n\r\n",
      "its Content-Length is “2,”, which is not a number"
    ),
    (
      "HTTP/1.1 200 OK\r\nContent-Length: 2,,2\r\n\r\n",
      "its Content-Length is “2,,2”, which is not a number"
    ),
    (
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length:\r\n\r\n",
      "its Content-Length is “2, ”, which is not a number"
    ),
    (
      "HTTP/1.1 200 OK\r\nContent-Length: ,\r\n\r\n",
      "its Content-Length is “,”, which is not a number"
    ),
    (
      "HTTP/1.1 200 OK\r\nX: a\r\n b\0c\r\n\r\n",
      "the value of its header “X” holds a control character"
    ),
    (
      "HTTP/1.1 200 OK\r\nX: a\r\n b\rc\r\n\r\n",
      "the value of its header “X” holds a control character"
    ),
    (
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
      "its transfer coding is “gzip, chunked”, but only “chunked” is supported"
    ),
    (
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
      "the size of a chunk is “xyz\\u{d}”"
    ),
    (
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\rXYZ\r\nhi\r\n",
      "the size of a chunk is “2\\u{d}XYZ\\u{d}”"
    ),
    (
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a\rb\r\nhi\r\n",
      "the size of a chunk is “2;a\\u{d}b\\u{d}”"
    ),
    (
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a\0b\r\nhi\r\n",
      "the size of a chunk is “2;a\\u{0}b\\u{d}”"
    ),
    (
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhello\r\n",
      "a chunk is longer than its size says"
    ),
  ])
  func `what is not HTTP is refused in words`(text: String, reason: String) {
    #expect {
      try Parsed(text)
    } throws: { error in
      let error = error as? MartletError
      return error?.code == .malformedResponse
        && error?.message == "The server's response is not HTTP/1.1: \(reason)."
    }
  }

  @Test(arguments: [
    "\r", "HTTQ", "HTTP/", "HTTP/2", "HTTP/1.1", "HTTP/1.x", "HTTP/1.1 ", "HTTP/1.1_", "HTTP/1.1 0",
    "HTTP/1.1 200", "HTTP/1.1 20x", "HTTP/1.1 2000", "HTTP/1.1 200\t", "HTTP/1.1 200 Fine",
    "HTTP/1.1 200\r", "\u{15}\u{3}\u{1}",
  ])
  func `bytes that begin no status line are refused without the end of a line`(text: String) {
    let beginnings = ["HTTP/1.1 200 Fine", "HTTP/1.1 200\r"]
    let isPossible = beginnings.contains { $0.hasPrefix(text) }
    do {
      try Parsed(text)
      #expect(isPossible)
    } catch {
      #expect(!isPossible)
      #expect(
        (error as? MartletError)?.message
          == "The server's response is not HTTP/1.1: it begins with “\(text.masked)”.")
    }
  }

  @Test(arguments: ["x", "2x", "2\rx", "2 x", "1234567890abcdef", ";"])
  func `bytes that begin no size of a chunk are refused without the end of a line`(text: String) {
    #expect {
      try Parsed("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(text)")
    } throws: { error in
      (error as? MartletError)?.message.hasPrefix(
        "The server's response is not HTTP/1.1: the size of a chunk is “\(text.prefix(1))") == true
    }
  }

  @Test func `a fold may be all that a field has, or nothing`() throws {
    let headers = try Parsed(
      "HTTP/1.1 204 No Content\r\nX-A:\r\n one\r\nX-B: two\r\n \r\nX-C: \u{E9}\r\n \u{FC}\r\n\r\n"
    ).head?.headers
    #expect(headers?.map(\.value) == ["one", "two", "\u{E9} \u{FC}"])
  }

  @Test func `a head over the limit is refused, in one piece or without end`() {
    let endless = "HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 2000)
    for text in [endless, endless + "\r\n\r\n"] {
      #expect {
        try Parsed(text, headLimit: 1024)
      } throws: { ($0 as? MartletError)?.code == .headTooLarge }
    }
  }

  @Test(arguments: [
    ("Content-Length: 10", "hello", "5 of 10 bytes"),
    ("Content-Length: 6", "hello", "5 of 6 bytes"),
    ("Content-Length: 123456789012345678", "hello", "5 of 123456789012345678 bytes"),
    ("Transfer-Encoding: chunked", "5\r\nhello\r\n", "5 bytes"),
  ])
  func `a body cut short is an error`(field: String, body: String, received: String) {
    #expect {
      try Parsed("HTTP/1.1 200 OK\r\n\(field)\r\n\r\n\(body)", closes: true)
    } throws: { error in
      (error as? MartletError)?.message
        == "The connection ended after \(received) of the body, before it was complete: try again."
    }
  }

  @Test func `what follows a response is surplus`() throws {
    #expect(try Parsed("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi!").hasSurplus)
  }
}

/// A response as the parser understood it.
private struct Parsed {
  var interim: [Int] = []
  var head: ResponseHead?
  var body = ""
  var trailers: HTTPFields?
  var isComplete = false
  var isPersistent = false
  var isSwitched = false
  var hasSurplus = false

  @discardableResult
  init(
    _ text: String, by size: Int = .max, after begin: Int = 0, method: HTTPRequest.Method = .get,
    closes: Bool = false, headLimit: Int = 256 << 10
  ) throws {
    var parser = ResponseParser(headLimit: headLimit)
    parser.begin(method)
    var bytes = ByteBuffer(string: text)
    var next = begin > 0 ? begin : size
    while let slice = bytes.readSlice(length: min(next, bytes.readableBytes)),
      slice.readableBytes > 0
    {
      parser.append(slice)
      while let part = try parser.next() { take(part) }
      next = size
    }
    if closes, let part = try parser.finish() { take(part) }
    isPersistent = parser.isPersistent
    hasSurplus = parser.hasSurplus
  }

  private mutating func take(_ part: ResponseParser.Part) {
    switch part {
    case .informational(let head): interim.append(head.status.code)
    case .head(let head): self.head = head
    case .switched(let head): (self.head, isSwitched) = (head, true)
    case .body(let bytes): body += String(buffer: bytes)
    case .end(let trailers):
      self.trailers = trailers
      isComplete = true
    }
  }
}

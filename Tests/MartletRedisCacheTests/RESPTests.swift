import NIOCore
import Testing

@testable import MartletRedisCache

/// <https://redis.io/docs/latest/develop/reference/protocol-spec/>
@Suite(.timeLimit(.minutes(5)))
struct RESPTests {
  private static let limits = RESPDecoder.Limits(line: 64, bulk: 100, reply: 1024, depth: 2)

  private static func bulk(_ text: String) -> RESPValue { .bulk(ByteBuffer(string: text)) }

  private static let replies: [(String, RESPValue)] = [
    ("+OK\r\n", .simple("OK")),
    ("+\r\n", .simple("")),
    ("-ERR no\r\n", .error("ERR no")),
    (":0\r\n", .integer(0)),
    (":-42\r\n", .integer(-42)),
    (":9223372036854775807\r\n", .integer(.max)),
    ("$-1\r\n", .bulk(nil)),
    ("$0\r\n\r\n", bulk("")),
    ("$7\r\nmar\r\net\r\n", bulk("mar\r\net")),
    ("*-1\r\n", .array(nil)),
    ("*0\r\n", .array([])),
    ("*2\r\n+a\r\n$-1\r\n", .array([.simple("a"), .bulk(nil)])),
    ("*2\r\n*0\r\n*1\r\n:1\r\n", .array([.array([]), .array([.integer(1)])])),
    (
      "*3\r\n*1\r\n$1\r\nx\r\n-E\r\n:2\r\n",
      .array([.array([bulk("x")]), .error("E"), .integer(2)])
    ),
  ]

  @Test func `each type of reply is decoded, whole`() throws {
    var decoder = RESPDecoder(Self.limits)
    for (text, value) in Self.replies {
      var bytes = ByteBuffer(string: text + "+next\r\n")
      #expect(try decoder.decode(buffer: &bytes) == value, "\(text)")
      #expect(String(buffer: bytes) == "+next\r\n")
    }
  }

  @Test func `each type of reply is decoded, byte by byte`() throws {
    var decoder = RESPDecoder(Self.limits)
    for (text, value) in Self.replies {
      var bytes = ByteBuffer()
      for (offset, byte) in text.utf8.enumerated() {
        bytes.writeInteger(byte)
        let isLast = offset == text.utf8.count - 1
        #expect(
          try decoder.decode(buffer: &bytes) == (isLast ? value : nil), "\(text) at \(offset)")
      }
      #expect(bytes.readableBytes == 0)
    }
  }

  @Test(arguments: [
    "HTTP/1.1 400 Bad Request\r\n", "\r\n", "_\r\n", "%1\r\n+a\r\n+b\r\n", "#t\r\n", "+a\n",
    "+a\rb\r\n", "+a\nb\r\n", ":\r\n", ":1x\r\n", ":9223372036854775808\r\n", "$\r\n", "$-2\r\n",
    "$+1\r\n",
    "$1 \r\n", "$1\r\nab\r\n", "$1\r\na\rb", "*x\r\n", "*-2\r\n", "*1\r\n*1\r\n!\r\n",
  ])
  func `what is not RESP2 is refused`(_ text: String) {
    #expect(throws: RESPProblem.self) {
      var decoder = RESPDecoder(Self.limits)
      var bytes = ByteBuffer(string: text)
      _ = try decoder.decode(buffer: &bytes)
    }
  }

  @Test func `a reply that exceeds a limit is refused before it has arrived`() {
    let tooLarge = [
      "+" + String(repeating: "a", count: 64): "a line is too long",
      "$101\r\n": "a length is larger than the limit",
      "$99999999999999999999\r\n": "a length is larger than the limit",
      "*17\r\n": "a length is larger than the limit",
      "*1\r\n*1\r\n*1\r\n": "arrays are nested too deeply",
      "*10\r\n" + String(repeating: "$100\r\n\(String(repeating: "a", count: 100))\r\n", count: 7):
        "a reply is larger than the limit",
    ]
    for (text, message) in tooLarge {
      #expect(throws: RESPProblem(message)) {
        var decoder = RESPDecoder(Self.limits)
        var bytes = ByteBuffer(string: text)
        _ = try decoder.decode(buffer: &bytes)
      }
    }
  }

  @Test func `the limit applies to each reply, and not to all of them`() throws {
    var decoder = RESPDecoder(Self.limits)
    for _ in 0..<100 {
      var bytes = ByteBuffer(string: "*1\r\n+a\r\n")
      #expect(try decoder.decode(buffer: &bytes) == .array([.simple("a")]))
    }
  }

  @Test func `a command is an array of bulk strings`() {
    var bytes = ByteBuffer()
    RESPCommand("SET", "ключ", ByteBuffer(bytes: [13, 10]), Int64(-5), reply: .status)
      .write(to: &bytes)
    #expect(
      String(buffer: bytes) == "*4\r\n$3\r\nSET\r\n$8\r\nключ\r\n$2\r\n\r\n\r\n$2\r\n-5\r\n")
  }

  @Test func `an error in a reply is found, however deep it is`() {
    #expect(RESPValue.array([.simple("OK"), .array([.error("WRONGTYPE")])]).error == "WRONGTYPE")
    #expect(RESPValue.array([.simple("OK"), .array(nil)]).error == nil)
  }

  @Test func `a prefix is matched as it is`() {
    #expect("*\u{FE0F}\u{20E3}".prefixPattern == "\\*\u{FE0F}\u{20E3}*")
    #expect("a*b?[c]\\:".prefixPattern == "a\\*b\\?\\[c\\]\\\\:*")
  }
}

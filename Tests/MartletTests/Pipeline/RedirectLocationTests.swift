import Foundation
import Martlet
import MartletTesting
import NIOCore
import Testing

/// Where a redirect leads (RFC 9110 §10.2.2).
@Suite(.timeLimit(.minutes(5)))
struct RedirectLocationTests {
  @Test(arguments: [
    ("/p?q=a|b%20c", "http://a.example/p?q=a%7Cb%20c"),
    (
      "?u=http%3A%2F%2Fh%2F&discount=50%off",
      "http://a.example/dir/page?u=http%3A%2F%2Fh%2F&discount=50%25off"
    ),
    ("?q=[1]%20", "http://a.example/dir/page?q=%5B1%5D%20"),
    ("/a b%2Fc", "http://a.example/a%20b%2Fc"), ("/%zz%41", "http://a.example/%25zz%41"),
    ("../a/./b", "http://a.example/a/b"),
    ("http://a.example/x/../b", "http://a.example/b"), ("", "http://a.example/dir/page?q"),
    ("\\\\b.example/", "http://a.example/dir/%5C%5Cb.example/"),
    ("http://a|b%20:c@a.example/", "http://a%7Cb%20:c@a.example/"),
  ])
  func `what is escaped in a location stays so`(location: String, url: String) throws {
    let next = try follow(
      [HTTPField(name: .location, value: location)], "http://a.example/dir/page?q")
    #expect(next.url.absoluteString == url)
  }

  @Test func `the fragment is inherited as it is`() throws {
    let next = try follow([HTTPField(name: .location, value: "/b")], "http://a.example/a#x%20y%7C")
    #expect(next.url.absoluteString == "http://a.example/b#x%20y%7C")
  }

  @Test(
    arguments: [
      ([0x2F, 0xE9, 0x78], "/%E9x"), ([0x2F, 0xC3, 0xA9], "/%C3%A9"),
      ([0x2F, 0xC3, 0xA9, 0xE9, 0x3F, 0xFF], "/%C3%A9%E9?%FF"),
      ([0x2F, 0xE9, 0x25, 0x32], "/%E9%252"), ([0x2F, 0x80], "/%80"),
    ] as [([UInt8], String)])
  func `bytes that are not ASCII are escaped as they are, whatever their encoding (RFC 9110 §5·5)`(
    bytes: [UInt8], target: String
  ) throws {
    #expect(try follow([HTTPField(name: .location, value: bytes)]).target == target)
  }

  @Test func `a host that is not ASCII is looked up by its other name`() throws {
    let next = try follow([HTTPField(name: .location, value: "//bücher.example/ü")])
    #expect(try next.origin.host == "xn--bcher-kva.example")
    #expect(next.target == "/%C3%BC")
  }

  @Test(arguments: [
    (
      "//b\u{FFFD}/x",
      "the server redirects there, and some of its bytes are lost: U+FFFD stands for them"
    ),
    (
      "/\u{FFFD}",
      "the server redirects there, and some of its bytes are lost: U+FFFD stands for them"
    ),
    (
      "http://[::1",
      "the server redirects there, and its host is neither a name nor an IPv6 address in brackets, such as [::1]"
    ),
    ("http://h:8a/", "the server redirects there, and its port is not a number"),
    ("http://h:18446744073709551696/", "port 18446744073709551696 is not between 1 and 65535"),
    ("//h:65616/", "port 65616 is not between 1 and 65535"),
    ("http://h:0/", "port 0 is not between 1 and 65535"),
    ("http:/x", "it has no host"),
  ])
  func `a location that leads nowhere is an error`(location: String, reason: String) throws {
    let error = #expect(throws: MartletError.self) {
      try follow([HTTPField(name: .location, value: location)])
    }
    #expect(error?.code == .invalidURL)
    #expect(error?.message.hasSuffix("is not usable: \(reason).") == true)
  }

  @Test func `a location that comes twice counts once (RFC 9110 §5·3)`() throws {
    let field = HTTPField(name: .location, value: "/a,b")
    #expect(try follow([field, field]).target == "/a,b")
  }

  @Test func `locations that differ are an error`() throws {
    let error = #expect(throws: MartletError.self) {
      try follow([
        HTTPField(name: .location, value: "/a"), HTTPField(name: .location, value: "//evil/"),
      ])
    }
    #expect(error?.code == .malformedResponse)
    #expect(
      error?.message
        == "The server redirects to “/a” and to “//evil/” at once: it must send a single Location.")
  }

  @Test func `over the wire, bytes arrive as the server wrote them`() async throws {
    var head = ByteBuffer(string: "HTTP/1.1 302 Found\r\nLocation: /p?q=a|b%20c\u{A0}")
    head.writeBytes([0xE9])
    head.writeString("\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    let server = try await ScriptedServer.start(
      Script([.readRequest, .sendBytes(head)]), .text("there"))
    let response = try await HTTPSessionManager().send(Request(url: server.url("/[x]%20?50%")))
    #expect(response.status == .ok)
    #expect(
      server.receivedRequests.map(\.target) == ["/%5Bx%5D%20?50%25", "/p?q=a%7Cb%20c%C2%A0%E9"])
    await server.stop()
  }

  private func follow(_ fields: [HTTPField], _ url: String = "http://a.example/") throws -> Request
  {
    let head = ResponseHead(status: .found, headers: HTTPFields(fields))
    let request = Request(url: try #require(URL(string: url)))
    return try #require(try RedirectPolicy().request(after: head, to: request, count: 0))
  }
}

import Foundation
import Martlet
import MartletTesting
import NIOCore
import Testing

@testable import MartletTool

/// Heads, and names in certificates.
struct ResponseTextTests {
  private let head = ResponseHead(
    status: HTTPResponse.Status(code: 200, reasonPhrase: "All \u{9B}2J"),
    headers: HTTPFields([HTTPField(name: .server, value: "exe.\u{202E}gpj")]))

  @Test func `for reading, nothing of a head is obeyed`() {
    #expect(
      ResponseText.lines(head, version: .http1)
        == ["HTTP/1.1 200 All \\u{9b}2J", "Server: exe.\\u{202e}gpj"])
    #expect(ResponseText.status(head) == "200 All \\u{9b}2J")
    var log = EventLog()
    #expect(log.lines(for: .responseReceived(head)).contains("< Server: exe.\\u{202e}gpj"))
    #expect(log.lines(for: .resolving(host: "\u{1B}[2J")) == ["* Looking up \\u{1b}[2J"])
  }

  @Test func `in a pipe a head is as it came`() {
    let bytes = ResponseText.bytes(head, version: .http2)
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "HTTP/2 200 All \u{9B}2J\nServer: exe.\u{202E}gpj\n\n")
  }

  @Test func `for reading, nothing of a request is obeyed`() throws {
    var log = EventLog()
    let request = try Request(
      .post, "http://h/x", headers: [.cookie: "a=\u{202E}"], body: .text("a\r\n\u{1B}[2J"))
    let lines = log.lines(for: .sending(request, over: nil, isConnectionReused: false))
    #expect(lines.contains("> Cookie: a=\\u{202e}"))
    #expect(lines.suffix(2) == ["> a", "> \\u{1b}[2J"])
  }

  @Test func `names in certificates are shown`() throws {
    let own = try TemporaryAuthority.selfSigned(
      commonName: "tern\u{1B}[2J\n   pin     forged", names: ["127.0.0.1"])
    let trust = ServerTrust(certificates: own.certificates, host: "127.0.0.1")
    let lines = CertificateText(trust).lines
    #expect(lines[0].hasPrefix("0  tern\\u{1b}[2J\\u{a}   pin     forged"))
    #expect(lines.count { $0.hasPrefix("   pin") } == 1)
  }
}

import Foundation
import Martlet
import Testing

@testable import MartletTool

struct EventLogTests {
  private func connection(_ protocolName: String) -> ConnectionInfo {
    ConnectionInfo(
      protocolName: protocolName, localAddress: nil, remoteAddress: nil, resolveDuration: nil,
      connectDuration: .zero, tlsDuration: nil, tlsVersion: nil)
  }

  @Test func `what is sent, what is received and what happens have marks of their own`() throws {
    var log = EventLog()
    let request = try Request(.post, "http://h/x", headers: [.accept: "*/*"], body: .text("a\nb"))
    let sending = CallEvent.Kind.sending(
      request, over: connection("http/1.1"), isConnectionReused: true)
    #expect(
      log.lines(for: sending) == [
        "* Reusing an open connection", "> POST /x HTTP/1.1", "> Host: h",
        "> Accept: */*", "> Content-Length: 3", "> ", "> a", "> b",
      ])
    let head = ResponseHead(status: .notFound, headers: [.server: "s"])
    #expect(
      log.lines(for: .responseReceived(head)) == ["< HTTP/1.1 404 Not Found", "< Server: s", "< "])
    #expect(log.lines(for: .resolving(host: "h")) == ["* Looking up h"])
  }

  @Test(arguments: ["h2", "h2c"])
  func `HTTP/2 goes by its name, and has no fields about the connection`(name: String) throws {
    var log = EventLog()
    let headers: HTTPFields = [.connection: "close", .te: "gzip", .accept: "*/*"]
    let body = RequestBody.producer(length: nil) { _ in }
    let request = try Request(.post, "http://h/x", headers: headers, body: body)
    let sending = CallEvent.Kind.sending(request, over: connection(name), isConnectionReused: false)
    #expect(
      log.lines(for: sending) == [
        "> POST /x HTTP/2", "> Host: h", "> Accept: */*", "> ", "> (a body of unknown length)",
      ])
    let head = ResponseHead(status: HTTPResponse.Status(code: 200))
    #expect(log.lines(for: .responseReceived(head)) == ["< HTTP/2 200", "< "])
  }

  @Test func `an answer that no network brought has no version`() throws {
    var log = EventLog()
    let request = try Request(.get, "http://h/x")
    _ = log.lines(for: .sending(request, over: nil, isConnectionReused: false))
    #expect(
      log.lines(for: .responseReceived(ResponseHead(status: .ok))) == ["< HTTP 200 OK", "< "])
  }

  @Test func `a body that is no text is only counted`() throws {
    var log = EventLog()
    let request = try Request(.post, "http://h/x", body: .text("a\0b"))
    let sending = CallEvent.Kind.sending(request, over: nil, isConnectionReused: false)
    #expect(log.lines(for: sending).last == "> (3 B)")
  }

  @Test func `the user of a URL that a redirect leads to is masked`() throws {
    var log = EventLog()
    let url = try #require(URL(string: "http://ada:secret@h/x"))
    #expect(log.lines(for: .redirecting(to: url)) == ["* Following the redirect to http://***@h/x"])
  }
}

import Martlet
import Testing

@testable import MartletTool

struct EventLogTests {
  private let log = EventLog()

  @Test func `what is sent, what is received and what happens are told apart`() throws {
    let request = try Request(.post, "http://h/x", headers: [.accept: "*/*"], body: .text("a\nb"))
    #expect(
      log.lines(for: .sending(request, over: nil, isConnectionReused: true)) == [
        "* Using a connection that is open already", "> POST /x HTTP/1.1", "> Host: h",
        "> Accept: */*", "> Content-Length: 3", "> ", "> a", "> b",
      ])
    let head = ResponseHead(status: .notFound, headers: [.server: "s"])
    #expect(log.lines(for: .responded(head)) == ["< HTTP 404 Not Found", "< Server: s", "< "])
    #expect(log.lines(for: .resolving(host: "h")) == ["* Looking up h"])
  }

  @Test func `a body that is no text is only counted`() throws {
    let request = try Request(.post, "http://h/x", body: .text("a\0b"))
    #expect(
      log.lines(for: .sending(request, over: nil, isConnectionReused: false)).last == "> (3 B)")
  }
}

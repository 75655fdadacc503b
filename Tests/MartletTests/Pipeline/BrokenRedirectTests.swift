import Foundation
import Martlet
import MartletTesting
import NIOCore
import Testing

/// Redirects whose own bodies are never complete.
@Suite(.timeLimit(.minutes(5)))
struct BrokenRedirectTests {
  private static let found = "HTTP/1.1 302 Found\r\nLocation: /there\r\n"

  @Test(.timeLimit(.minutes(1)), arguments: BrokenBody.allCases)
  func `a redirect is followed however its body ends`(body: BrokenBody) async throws {
    let server = try await ScriptedServer.start(body.script(after: Self.found), .text("there"))
    let response = try await HTTPSessionManager().send(Request(url: server.url("/here")))
    #expect(response.status == .ok)
    #expect(response.redirects.count == 1)
    #expect(server.receivedRequests.map(\.target) == ["/here", "/there"])
    await server.stop()
  }

  @Test(.timeLimit(.minutes(1)))
  func `an upload that its redirect cuts short begins anew elsewhere`() async throws {
    let server = try await ScriptedServer.start(
      Script([
        .readHead, .stopReading,
        .send("HTTP/1.1 307 Elsewhere\r\nLocation: /there\r\nContent-Length: 10\r\n\r\nabc"),
        .stall,
      ]), .text("there"))
    let body = RequestBody.data(Data(repeating: 0x78, count: 3_000_000))
    let response = try await HTTPSessionManager().send(
      Request(.put, url: server.url("/here"), body: body))
    #expect(response.status == .ok)
    #expect(server.receivedRequests.last?.target == "/there")
    #expect(server.receivedRequests.last?.body.readableBytes == 3_000_000)
    await server.stop()
  }

  @Test func `a redirect that is the response has its body whole, or fails`() async throws {
    let server = try await ScriptedServer.start(
      .respond("\(Self.found)Content-Length: 10\r\n\r\nabc"))
    let api = HTTPSessionManager { $0.redirectPolicy = .disabled }
    let error = await #expect(throws: MartletError.self) {
      try await api.send(Request(url: server.url("/here")))
    }
    #expect(error?.code == .bodyTruncated)
    await server.stop()
  }
}

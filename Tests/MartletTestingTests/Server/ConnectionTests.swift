import Foundation
import MartletTesting
import NIOCore
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ConnectionTests {
  @Test func `requests on one connection are answered in order`() async throws {
    let server = try await LoopbackServer.start()
    let client = try await RawClient.connect(to: server.url("/"))
    try await client.send(
      "GET /delay/0.05 HTTP/1.1\r\nHost: a\r\n\r\nGET /base64/b25l HTTP/1.1\r\nHost: a\r\n\r\n"
        + "GET /base64/dHdv HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    let text = String(buffer: try await client.readToEnd())
    #expect(text.components(separatedBy: "HTTP/1.1 200 OK").count == 4)
    #expect(text.hasSuffix("two"))
    #expect(server.connectionCount == 1)
    #expect(server.requestCount == 3)
  }

  @Test func `a client that leaves is noticed while its request is being answered`() async throws {
    let server = try await LoopbackServer.start()
    let client = try await RawClient.connect(to: server.url("/"))
    try await client.send("GET /delay/10 HTTP/1.1\r\nHost: a\r\n\r\n")
    try await server.waitForOpenConnections(1)
    await client.close()
    try await server.waitForOpenConnections(0)
    #expect(server.requestCount == 0)
  }

  @Test func `stopping closes idle, waiting and sending connections`() async throws {
    let server = try await LoopbackServer.start()
    let requests = ["", "GET /delay/10 HTTP/1.1\r\n\r\n", "GET /bytes/1073741824 HTTP/1.1\r\n\r\n"]
    var clients: [RawClient] = []
    for request in requests {
      let client = try await RawClient.connect(to: server.url("/"))
      try await client.send(request)
      clients.append(client)
    }
    try await server.waitForOpenConnections(3)
    await server.stop()
    #expect(server.openConnectionCount == 0)
    for client in clients { _ = try await client.readToEnd() }
    await server.waitUntilStopped()
  }

  @Test func `a server without references is closed`() async throws {
    var server: LoopbackServer? = try await LoopbackServer.start()
    let client = try await RawClient.connect(to: try #require(server).url("/"))
    server = nil
    _ = try await client.readToEnd()
  }

  @Test(arguments: [
    ["Content-Length: 11"], ["Content-Length: 11", "Expect: 100-continue"],
    ["Content-Length: 99999999999"],
  ])
  func `a body over the limit is refused before it is sent`(headers: [String]) async throws {
    let server = try await LoopbackServer.start(bodyLimit: 10)
    let client = try await RawClient.connect(to: server.url("/"))
    let head = ["POST /post HTTP/1.1", "Host: a"] + headers
    try await client.send(head.joined(separator: "\r\n") + "\r\n\r\n")
    #expect(try await client.read { $0.hasSuffix("\r\n\r\n") }.hasPrefix("HTTP/1.1 413 "))
  }

  @Test func `a body in chunks is refused when it passes the limit`() async throws {
    let server = try await LoopbackServer.start(bodyLimit: 10)
    let client = try await RawClient.connect(to: server.url("/"))
    try await client.send("POST /post HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
    try await client.send("6\r\nsixsix\r\n6\r\nsixsix\r\n")
    #expect(try await client.read { $0.hasSuffix("\r\n\r\n") }.hasPrefix("HTTP/1.1 413 "))
    // After five seconds it hangs up all the same.
    try? await client.send("0\r\n\r\n")
    _ = try await client.readToEnd()
  }

  @Test func `a client that expects 100 Continue receives it`() async throws {
    let server = try await LoopbackServer.start()
    let client = try await RawClient.connect(to: server.url("/"))
    try await client.send(
      "POST /post HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n"
        + "Connection: close\r\n\r\n")
    try await client.read { $0 == "HTTP/1.1 100 Continue\r\n\r\n" }
    try await client.send("ok")
    #expect(String(buffer: try await client.readToEnd()).contains("\"data\" : \"ok\""))
  }

  @Test(arguments: [
    "BLAH\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n",
    "GET / HTTP/1.1\r\nA B: c\r\n\r\n",
  ])
  func `nonsense ends the connection, not the server`(text: String) async throws {
    let server = try await LoopbackServer.start()
    let client = try await RawClient.connect(to: server.url("/"))
    try await client.send(text)
    _ = try await client.readToEnd()
    #expect(try await server.fetch("GET /ip").status == 200)
  }

  @Test func `HTTP 1.0 gets its answers in its own way`() async throws {
    let server = try await LoopbackServer.start()
    let client = try await RawClient.connect(to: server.url("/"))
    try await client.send("GET /stream/2 HTTP/1.0\r\n\r\n")
    let response = try RawResponse(try await client.readToEnd())
    #expect(response["Transfer-Encoding"] == nil)
    #expect(response.text.split(separator: "\n").count == 2)
  }

  @Test func `a Unix-domain socket serves the same routes`() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).sock")
    let server = try await LoopbackServer.start(unixSocket: path.path)
    let client = try await RawClient.connect(to: server.url("/"), socket: path.path)
    try await client.send("GET /ip HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    #expect(try RawResponse(try await client.readToEnd()).status == 200)
    let url = try #require(server.socketURL("/ip?a"))
    #expect(url.host(percentEncoded: false) == path.path)
    #expect(url.path == "/ip")
    await server.stop()
    #expect(!FileManager.default.fileExists(atPath: path.path))
  }

  @Test func `a port that is taken is an error`() async throws {
    let server = try await LoopbackServer.start()
    await #expect(throws: (any Error).self) {
      _ = try await LoopbackServer.start(port: server.port)
    }
  }

  @Test func `URLs name the server`() async throws {
    let server = try await LoopbackServer.start()
    #expect(server.url("/a?b=%20").absoluteString == "http://127.0.0.1:\(server.port)/a?b=%20")
    #expect(server.url("a", host: "::1").absoluteString == "http://[::1]:\(server.port)/a")
  }

  @Test(.timeLimit(.minutes(5))) func `a gibibyte is sent in constant memory`() async throws {
    let (size, step) = (1 << 30, 8 << 20)
    let server = try await LoopbackServer.start()
    let client = try await RawClient.connect(to: server.url("/"), keepsBytes: false)
    let before = residentBytes()
    try await client.send("GET /bytes/\(size) HTTP/1.1\r\nHost: a\r\n\r\n")
    // Other tests need memory at the same time, but not all the time. A server that keeps a half of what it has sent needs at
    // least this during the last eighth.
    let half = (size / 8 * 7) / 2
    var least = Int.max
    for part in 1...15 {
      try await wait(for: size / 8 * 7 + part * step, client)
      least = min(least, residentBytes() - before)
    }
    try await wait(for: size, client)
    #expect(client.wire.current.count > size)
    #expect(least < half)
  }

  /// Waits until more than so many bytes have come, which takes longer than other waits on a busy machine.
  private func wait(for count: Int, _ client: RawClient) async throws {
    try await client.wire.wait(within: .seconds(240)) {
      "Only \($0.count) bytes have come."
    } until: {
      $0.count > count || $0.isClosed
    }
  }

  private func residentBytes() -> Int {
    let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
      .split(separator: " ")
    return (fields.flatMap { Int($0[1]) } ?? 0) * 4096
  }
}

import MartletCore
import MartletTesting
import NIOCore
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ScriptedServerTests {
  private static let request = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test func `the bytes of a script are sent as they are`() async throws {
    let server = try await ScriptedServer.start(.respond("HTTP/1.1 299 Odd\r\nx:y\r\n\r\nz"))
    let client = try await RawClient.connect(to: server.url())
    try await client.send(Self.request)
    #expect(String(buffer: try await client.readToEnd()) == "HTTP/1.1 299 Odd\r\nx:y\r\n\r\nz")
  }

  @Test func `what arrives is written down`() async throws {
    let server = try await ScriptedServer.start(.keepAlive([.text("1"), .text("2")]))
    let client = try await RawClient.connect(to: server.url())
    let first = "POST /a?b HTTP/1.1\r\nHost: a\r\nX-Y:z\r\nx-y:  w\r\nContent-Length: 4\r\n\r\nbody"
    let second =
      "PUT /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;e=f\r\nabc\r\n1\r\nd\r\n0\r\nT: u\r\n\r\n"
    for part in [first.prefix(30), first.dropFirst(30), second.prefix(60), second.dropFirst(60)] {
      try await client.send(String(part))
    }
    _ = try await client.readToEnd()
    #expect(server.receivedRequests.map(\.line) == ["POST /a?b HTTP/1.1", "PUT /c HTTP/1.1"])
    #expect(server.receivedRequests.map(\.text) == ["body", "abcd"])
    #expect(server.receivedRequests.map(\.connection) == [0, 0])
    #expect(server.receivedRequests[0].headerLines[1] == "X-Y:z")
    #expect(server.receivedRequests[0].values(of: "x-Y") == ["z", "w"])
    #expect(server.receivedRequests[0].target == "/a?b")
    #expect(String(buffer: server.bytes()) == first + second)
  }

  @Test func `only the last response of a connection says that it closes`() async throws {
    let server = try await ScriptedServer.start(.keepAlive([.text("1"), .json("{}", status: 201)]))
    let client = try await RawClient.connect(to: server.url())
    try await client.send(Self.request)
    let first = try await client.read { $0.hasSuffix("1") }
    #expect(!first.contains("Connection: close"))
    try await client.send(Self.request)
    let both = String(buffer: try await client.readToEnd())
    #expect(both.hasSuffix("Content-Length: 2\r\nConnection: close\r\n\r\n{}"))
    #expect(both.contains("HTTP/1.1 201 Created\r\n"))
  }

  @Test func `each connection takes the next script`() async throws {
    let server = try await ScriptedServer.start(.redirect(to: "/y"), .text("ok"))
    for (line, end) in [("302 Found\r\nLocation: /y", "\r\n\r\n"), ("200 OK", "ok")] {
      let client = try await RawClient.connect(to: server.url())
      try await client.send(Self.request)
      let text = String(buffer: try await client.readToEnd())
      #expect(text.hasPrefix("HTTP/1.1 \(line)\r\n") && text.hasSuffix(end))
    }
    #expect(server.connectionCount == 2)
    #expect(server.receivedRequests.map(\.connection) == [0, 1])
  }

  @Test func `a connection without a script is closed`() async throws {
    let server = try await ScriptedServer.start()
    let client = try await RawClient.connect(to: server.url())
    #expect(try await client.readToEnd().readableBytes == 0)
  }

  @Test func `a connection that comes before its script does not use up the script`() async throws {
    let server = try await ScriptedServer.start()
    let early = try await RawClient.connect(to: server.url())
    _ = try await early.readToEnd()
    server.enqueue(.text("1"), .text("2"))
    for digit in ["1", "2"] {
      let client = try await RawClient.connect(to: server.url())
      try await client.send(Self.request)
      #expect(String(buffer: try await client.readToEnd()).hasSuffix(digit))
    }
  }

  @Test func `scripts can be added and the last one repeated`() async throws {
    let server = try await ScriptedServer.start(.text("1"), repeatsLast: true)
    server.enqueue(.text("2"))
    for digit in ["1", "2", "2"] {
      let client = try await RawClient.connect(to: server.url())
      try await client.send(Self.request)
      #expect(String(buffer: try await client.readToEnd()).hasSuffix(digit))
    }
  }

  @Test func `a drip sends byte by byte`() async throws {
    let drip = Script.Step.drip(ByteBuffer(string: "drip"), every: .milliseconds(20))
    let server = try await ScriptedServer.start(Script([drip]))
    let clock = ContinuousClock.now
    let client = try await RawClient.connect(to: server.url())
    #expect(String(buffer: try await client.readToEnd()) == "drip")
    #expect(clock.duration(to: .now) >= .milliseconds(60))
  }

  @Test func `a stalled connection ends when the client ends it`() async throws {
    let server = try await ScriptedServer.start(.silent)
    let client = try await RawClient.connect(to: server.url())
    try await client.send(Self.request)
    try await server.waitForRequests(1)
    #expect(server.closedConnectionCount == 0)
    await client.close()
    try await server.waitForConnectionsClosed()
    #expect(client.wire.current.bytes.readableBytes == 0)
  }

  @Test func `a reset is an error for the client`() async throws {
    let server = try await ScriptedServer.start(Script([.readHead, .send("HTTP/1.1 "), .reset]))
    let client = try await RawClient.connect(to: server.url())
    try await client.send(Self.request)
    _ = try await client.readToEnd()
    let error = try #require(client.wire.current.error as? IOError)
    #expect(error.errnoCode == 104 || error.errnoCode == 54)
  }

  @Test func `after a half-close the server still listens`() async throws {
    let server = try await ScriptedServer.start(
      Script([.send("bye"), .halfClose, .readBytes(5), .stall]))
    let client = try await RawClient.connect(to: server.url(), allowsHalfClosure: true)
    try await client.read { $0 == "bye" }
    try await client.wire.wait { $0.isInputClosed }
    try await client.send("hello")
    try await server.waitForBytes(5)
    #expect(server.closedConnectionCount == 0)
  }

  @Test func `a head can be answered before its body has arrived`() async throws {
    let server = try await ScriptedServer.start(
      Script([.readHead, .send("HTTP/1.1 100 Continue\r\n\r\n"), .readRequest, .send("done")]))
    let client = try await RawClient.connect(to: server.url())
    try await client.send("PUT / HTTP/1.1\r\nContent-Length: 2\r\n\r\n")
    try await client.read { $0.hasSuffix("\r\n\r\n") }
    #expect(server.receivedRequests.isEmpty)
    try await client.send("ok")
    #expect(String(buffer: try await client.readToEnd()).hasSuffix("done"))
    #expect(server.receivedRequests.map(\.text) == ["ok"])
  }

  @Test func `waiting in vain says what is missing`() async throws {
    let server = try await ScriptedServer.start()
    let error = await #expect(throws: MartletError.self) {
      try await server.waitForRequests(2, within: .milliseconds(20))
    }
    #expect(error?.message == "0 of 2 requests arrived within 20 ms.")
    #expect(error?.code == .timedOut)
  }

  @Test(arguments: [
    "GET / HTTP/1.1\r\nContent-Length: -5\r\n\r\n", "\r\n\r\n\r\n\r\n",
    "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n\r\n",
    "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n\r\n",
  ])
  func `nonsense does not stop the server`(text: String) async throws {
    let server = try await ScriptedServer.start(.text("ok"))
    let client = try await RawClient.connect(to: server.url())
    try await client.send(text)
    #expect(String(buffer: try await client.readToEnd()).hasSuffix("ok"))
  }

  @Test func `a length that never comes does not stop the server`() async throws {
    let server = try await ScriptedServer.start(Script([.readHead, .reply(CannedResponse(413))]))
    let client = try await RawClient.connect(to: server.url())
    try await client.send("GET / HTTP/1.1\r\nContent-Length: \(Int.max)\r\n\r\nx")
    #expect(String(buffer: try await client.readToEnd()).hasPrefix("HTTP/1.1 413 "))
  }

  @Test func `stopping closes what is open`() async throws {
    let server = try await ScriptedServer.start(.silent)
    let client = try await RawClient.connect(to: server.url())
    try await server.waitForConnections(1)
    await server.stop()
    _ = try await client.readToEnd()
    #expect(server.closedConnectionCount == 1)
  }
}

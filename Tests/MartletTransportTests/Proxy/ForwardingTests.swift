import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import Testing

/// Requests that an HTTP proxy passes on.
@Suite(.timeLimit(.minutes(5)))
struct ForwardingTests {
  private static let basic = Script.reply(
    CannedResponse(407, ["Proxy-Authenticate": "Basic realm=\"p\""], "not for the caller"))
  private static let answer = "Basic dXNlcjpzZWNyZXQ="

  private func engine(_ proxy: ScriptedServer, user: String? = "user") throws -> HTTPTransport {
    .through(
      try .local(.http, proxy.port, user: user, password: user.map { _ in "secret" }))
  }

  @Test func `a proxy receives the whole URL, over connections that are kept`() async throws {
    let proxy = try await ScriptedServer.start(.keepAlive([.text("one"), .text("two")]))
    let engine = try engine(proxy)
    let url = "http://example.com:8080/a%20b?c=d"
    let first = try await engine.send(Request(.get, url))
    #expect(String(buffer: try await first.body.collect()) == "one")
    #expect(first.url.absoluteString == url)
    #expect(first.metrics.connection?.proxy == "http://127.0.0.1:\(proxy.port)")
    _ = try await engine.send(Request(.get, url))
    #expect(proxy.receivedRequests.map(\.line) == Array(repeating: "GET \(url) HTTP/1.1", count: 2))
    #expect(proxy.receivedRequests[0].header("Host") == "example.com:8080")
    #expect(proxy.receivedRequests[0].header("Proxy-Authorization") == nil)
    #expect(proxy.connectionCount == 1)
    await proxy.stop()
  }

  @Test func `within TLS if the proxy speaks that`() async throws {
    let authority = try TemporaryAuthority()
    let proxy = try await ScriptedServer.start(.text("one"), tls: ServerTLS(authority.leaf()))
    let engine = HTTPTransport.through(try .local(.https, proxy.port)) {
      $0.tls.roots = .certificates([authority.root])
    }
    let response = try await engine.send(Request(.get, "http://example.com/a"))
    #expect(response.status == .ok)
    #expect(proxy.receivedRequests[0].line == "GET http://example.com/a HTTP/1.1")
    // That is the proxy's: the server's connection is plain.
    #expect(response.metrics.connection?.tlsVersion == nil)
    await proxy.stop()
  }

  @Test func `a proxy that requires authentication receives a credential, then and from then on`()
    async throws
  {
    let proxy = try await ScriptedServer.start(
      .keepAlive([Self.basic, .text("one"), .text("two"), .text("three")]))
    let events = Locked<[String]>([])
    let call = Call()
    call.observe { event in
      if case .responseReceived(let head) = event.kind {
        events.withLock { $0.append("\(head.status)") }
      }
    }
    let engine = try engine(proxy)
    var request = try Request(.post, "http://example.com/a", body: .text("hello"))
    request.call = call
    let response = try await engine.send(request)
    #expect(String(buffer: try await response.body.collect()) == "one")
    #expect(response.status == .ok)
    _ = try await engine.send(Request(.get, "http://example.com/b"))
    #expect(
      proxy.receivedRequests.map { $0.header("Proxy-Authorization") } == [
        nil, Self.answer, Self.answer,
      ])
    #expect(proxy.receivedRequests.prefix(2).map(\.text) == ["hello", "hello"])
    #expect(proxy.connectionCount == 1)
    #expect(events.current == ["200 OK"])
    await proxy.stop()
  }

  @Test func `over another connection if this one is closed`() async throws {
    let proxy = try await ScriptedServer.start(Self.basic, .text("one"))
    let response = try await engine(proxy).send(Request(.get, "http://example.com/"))
    #expect(response.status == .ok)
    #expect(proxy.connectionCount == 2)
    await proxy.stop()
  }

  @Test func `a refusal that breaks off, or never ends, is enough`() async throws {
    let head = "HTTP/1.1 407 Who?\r\nProxy-Authenticate: Basic realm=p\r\n"
    for rest in [
      "Content-Length: 99\r\n\r\nno", "\r\n" + String(repeating: "no", count: 50_000),
      "Transfer-Encoding: chunked\r\n\r\n5\r\nno",
    ] {
      let proxy = try await ScriptedServer.start(.respond(head + rest), .text("one"))
      let response = try await engine(proxy).send(Request(.get, "http://example.com/"))
      #expect(String(buffer: try await response.body.collect()) == "one")
      await proxy.stop()
    }
  }

  @Test func `Digest is about the whole URL`() async throws {
    let challenge = "Digest realm=\"p\", nonce=\"n\", qop=\"auth\", algorithm=SHA-256"
    let proxy = try await ScriptedServer.start(
      .keepAlive([.status(407, ["Proxy-Authenticate": challenge]), .text("one"), .text("two")]))
    let engine = try engine(proxy)
    for path in ["a", "b"] {
      _ = try await engine.send(Request(.get, "http://example.com/\(path)"))
    }
    let answers = proxy.receivedRequests.compactMap { $0.header("Proxy-Authorization") }
    #expect(answers.count == 2)
    #expect(answers[0].contains("uri=\"http://example.com/a\""))
    #expect(answers[0].contains("nc=00000001"))
    #expect(answers[1].contains("uri=\"http://example.com/b\""))
    #expect(answers[1].contains("nc=00000002"))
    await proxy.stop()
  }

  @Test func `the nonce that the proxy wants to see next is what it sees`() async throws {
    let question = { (nonce: String) in
      Script.status(407, ["Proxy-Authenticate": "Digest realm=p, nonce=\(nonce), qop=auth"])
    }
    let proxy = try await ScriptedServer.start(
      .keepAlive([
        question("a"),
        .reply(CannedResponse(200, ["Proxy-Authentication-Info": "nextnonce=\"b\""])),
        // It has forgotten that one, which says nothing about the password.
        question("c"), .text("two"),
      ]))
    let engine = try engine(proxy)
    for _ in 0..<2 {
      #expect(try await engine.send(Request(.get, "http://example.com/")).status == .ok)
    }
    let answers = proxy.receivedRequests.compactMap { $0.header("Proxy-Authorization") }
    #expect(answers.count == 3)
    for (answer, nonce) in zip(answers, ["a", "b", "c"]) {
      #expect(answer.contains("nonce=\"\(nonce)\"") && answer.contains("nc=00000001"))
    }
    await proxy.stop()
  }

  @Test func `what the caller says to the proxy counts, once`() async throws {
    let proxy = try await ScriptedServer.start(Self.basic)
    let error = await #expect(throws: MartletError.self) {
      try await engine(proxy).send(
        Request(.get, "http://example.com/", headers: [.proxyAuthorization: "Bearer tern"]))
    }
    #expect(error?.code == .proxyAuthenticationRequired)
    #expect(
      proxy.receivedRequests.map { $0.values(of: "Proxy-Authorization") } == [["Bearer tern"]])
    await proxy.stop()
  }

  @Test func `a proxy that stays with its question ends the request, and nothing is left open`()
    async throws
  {
    let proxy = try await ScriptedServer.start(.keepAlive([Self.basic, Self.basic, .silent]))
    let error = await #expect(throws: MartletError.self) {
      try await engine(proxy).send(Request(.get, "http://example.com/"))
    }
    #expect(
      error?.message
        == "The proxy http://127.0.0.1:\(proxy.port) does not accept the user and the password: check both."
    )
    #expect(error?.response?.status.code == 407)
    try await proxy.waitForConnectionsClosed()

    let open = try await ScriptedServer.start(.keepAlive([Self.basic, .silent]))
    let other = await #expect(throws: MartletError.self) {
      try await engine(open, user: nil).send(Request(.get, "http://example.com/"))
    }
    #expect(
      other?.message
        == "The proxy http://127.0.0.1:\(open.port) requires authentication: put the user name and password into its URL, before the host and an @."
    )
    try await open.waitForConnectionsClosed()
    await proxy.stop()
    await open.stop()
  }

  @Test func `a nonce that never fits is an error in the end`() async throws {
    let stale = Script.status(
      407, ["Proxy-Authenticate": "Digest realm=p, nonce=n, stale=true, qop=auth"])
    let proxy = try await ScriptedServer.start(
      .keepAlive(Array(repeating: stale, count: 50)), repeatsLast: true)
    let error = await #expect(throws: MartletError.self) {
      try await engine(proxy).send(Request(.get, "http://example.com/"))
    }
    #expect(
      error?.message
        == "The proxy http://127.0.0.1:\(proxy.port) rejects each answer to its challenges as out of date: try again, or ask the operator of the proxy."
    )
    #expect(error?.code == .proxyAuthenticationRequired)
    #expect(proxy.receivedRequests.count < 10)
    await proxy.stop()
  }

  @Test func `a body that can be sent only once is not sent twice`() async throws {
    let proxy = try await ScriptedServer.start(Self.basic)
    let body = RequestBody.producer(length: 2, isReplayable: false) { write in
      try await write(ByteBuffer(string: "hi"))
    }
    let error = await #expect(throws: MartletError.self) {
      try await engine(proxy).send(Request(.post, "http://example.com/", body: body))
    }
    #expect(
      error?.message
        == "The proxy http://127.0.0.1:\(proxy.port) requires authentication, and the body can be sent only once: make it replayable, or hold it in memory or in a file."
    )
    #expect(error?.code == .bodyNotReplayable)
    await proxy.stop()
  }

  @Test func `a server's own 407 goes to the caller`() async throws {
    let server = try await ScriptedServer.start(Self.basic)
    var configuration = HTTPTransportConfiguration()
    configuration.proxies = .none
    let response = try await HTTPTransport(configuration).send(Request(url: server.url()))
    #expect(response.status.code == 407)
    await server.stop()
  }
}

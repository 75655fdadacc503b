import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import Testing

/// Proxies that refuse, hang, answer garbage or close.
@Suite(.timeLimit(.minutes(5)))
struct ProxyFailureTests {
  private static let url = "https://example.com/"

  /// The error of a GET through a proxy that does what a script says; it must close the connection.
  private func failure(
    _ kind: Proxy.Kind, _ steps: [Script.Step], url: String = Self.url,
    set: (inout HTTPTransportConfiguration) -> Void = { _ in }
  ) async throws -> (error: MartletError?, proxy: String) {
    let proxy = try await ScriptedServer.start(Script(steps))
    let engine = HTTPTransport.through(try .local(kind, proxy.port), set: set)
    let error = await engine.failure(url)
    try await proxy.waitForConnectionsClosed()
    #expect(error?.isSafeToRetry == (url == Self.url))
    await proxy.stop()
    return (error, "\(kind.rawValue)://127.0.0.1:\(proxy.port)")
  }

  @Test(arguments: [Proxy.Kind.http, .https, .socks5])
  func `a proxy that nothing listens at`(kind: Proxy.Kind) async throws {
    let port = try ReservedPort.refusing()
    for url in [Self.url, "http://example.com/"] {
      let error = await HTTPTransport.through(try .local(kind, port.port)).failure(url)
      #expect(
        error?.message
          == "Could not connect to the proxy \(kind.rawValue)://127.0.0.1:\(port.port): nothing listens there."
      )
      #expect(error?.code == .proxyNotReachable)
      #expect(error?.phase == .proxy)
      #expect(error?.isSafeToRetry == true)
      #expect(error?.addresses == ["127.0.0.1:\(port.port)"])
    }
  }

  @Test func `a proxy that has no address`() async throws {
    let engine = HTTPTransport.through(.through(try Proxy("http://proxy.invalid:3128")))
    let error = await engine.failure(Self.url)
    #expect(
      error?.message
        == "Could not connect to the proxy http://proxy.invalid:3128: its host has no address.")
    #expect(error?.code == .proxyNotReachable)
  }

  @Test func `a proxy that does not answer`() async throws {
    let port = try ReservedPort.hanging()
    let engine = HTTPTransport.through(try .local(.http, port.port)) {
      $0.timeouts.connect = .milliseconds(200)
    }
    let error = await engine.failure(Self.url)
    #expect(
      error?.message
        == "Connecting to the proxy http://127.0.0.1:\(port.port) took longer than 200 ms: check its address, or raise the time-out."
    )
    #expect(error?.code == .timedOut)
    #expect(error?.phase == .proxy)
  }

  @Test(arguments: [Proxy.Kind.http, .socks5])
  func `a proxy that hangs while it should connect`(kind: Proxy.Kind) async throws {
    let (error, proxy) = try await failure(kind, [.stall]) { $0.timeouts.connect = .seconds(3) }
    #expect(
      error?.message
        == "The proxy \(proxy) took longer than 3 s to connect to https://example.com: try again or raise the time-out."
    )
    #expect(error?.code == .timedOut)
    #expect(error?.phase == .proxy)
  }

  @Test func `a proxy that hangs while it should pass a request on`() async throws {
    let (error, proxy) = try await failure(
      .http, [.readRequest, .stall], url: "http://example.com/"
    ) {
      $0.timeouts.idle = .milliseconds(200)
    }
    #expect(
      error?.message
        == "Waiting for the response of http://example.com through the proxy \(proxy) took longer than 200 ms: try again or raise the time-out."
    )
  }

  @Test func `a proxy that does not finish its TLS handshake`() async throws {
    let (error, _) = try await failure(.https, [.stall]) { $0.timeouts.tls = .milliseconds(200) }
    #expect(
      error?.message.hasPrefix("The TLS handshake with https://127.0.0.1:") == true)
    #expect(error?.code == .timedOut)
  }

  @Test(arguments: [Proxy.Kind.http, .socks5])
  func `a proxy that closes`(kind: Proxy.Kind) async throws {
    for steps in [[.readBytes(3), .close], [.readBytes(3), .reset]] as [[Script.Step]] {
      let (error, proxy) = try await failure(kind, steps)
      #expect(
        error?.message
          == "The proxy \(proxy) closed the connection before it had connected to https://example.com: try again."
      )
      #expect(error?.code == .proxyFailed)
    }
  }

  @Test func `a proxy that closes instead of passing a request on`() async throws {
    let (error, proxy) = try await failure(
      .http, [.readRequest, .close], url: "http://example.com/")
    #expect(
      error?.message
        == "The proxy \(proxy), or http://example.com behind it, closed the connection before it had answered: try again."
    )
    #expect(error?.code == .connectionLost)
  }

  @Test func `a proxy that answers garbage`() async throws {
    for url in [Self.url, "http://example.com/"] {
      let (error, proxy) = try await failure(
        .http, [.readHead, .send("220 mail.example.com ESMTP\r\n\r\n"), .stall], url: url)
      #expect(
        error?.message
          == "The answer of the proxy \(proxy) is not HTTP/1.1: check its address, and that it is an HTTP proxy."
      )
      #expect(error?.code == .proxyFailed)
      #expect((error?.underlying as? MartletError)?.code == .malformedResponse)
    }
    let (error, proxy) = try await failure(
      .socks5, [.readBytes(3), .send("HTTP/1.1 400 Bad Request\r\n\r\n"), .stall])
    #expect(
      error?.message
        == "The answer of the proxy \(proxy) is not SOCKS 5: check its address, and that it is a SOCKS proxy."
    )
  }

  @Test func `a proxy that refuses`() async throws {
    let (error, proxy) = try await failure(
      .http, [.readHead, .send("HTTP/1.1 503 Service Unavailable\r\n\r\nno"), .stall])
    #expect(
      error?.message
        == "The proxy \(proxy) made no connection to https://example.com, but answered 503 Service Unavailable: check the URL, or ask the operator of the proxy."
    )
    #expect(error?.code == .proxyRefused)
    let (other, socks) = try await failure(
      .socks5,
      [
        .readBytes(3), .sendBytes(ByteBuffer(bytes: [5, 0])), .readBytes(3 + 18),
        .sendBytes(ByteBuffer(bytes: [5, 2, 0, 1, 0, 0, 0, 0, 0, 0])), .stall,
      ])
    #expect(
      other?.message
        == "The proxy \(socks) made no connection to https://example.com: its rules forbid it.")
  }

  @Test func `a proxy that requires authentication is asked again over another connection`()
    async throws
  {
    let closing = Script([
      .readHead,
      .send(
        "HTTP/1.1 407 Who?\r\nProxy-Authenticate: Basic realm=p\r\nConnection: close\r\n\r\nno"),
      .close,
    ])
    let proxy = try await ScriptedServer.start(closing, repeatsLast: true)
    let route = try ProxyRoute.local(.http, proxy.port, user: "user", password: "secret")
    let error = await HTTPTransport.through(route).failure(Self.url)
    #expect(
      error?.message
        == "The proxy http://127.0.0.1:\(proxy.port) does not accept the user and the password: check both."
    )
    try await proxy.waitForConnectionsClosed(2)
    #expect(
      proxy.receivedRequests.map { $0.header("Proxy-Authorization") } == [
        nil, "Basic dXNlcjpzZWNyZXQ=",
      ])
    await proxy.stop()
  }

  @Test func `a request that is cancelled leaves no proxy waiting`() async throws {
    for kind in [Proxy.Kind.http, .socks5] {
      let proxy = try await ScriptedServer.start(Script([.stall]))
      let engine = HTTPTransport.through(try .local(kind, proxy.port))
      let task = Task { try await engine.send(Request(.get, Self.url)) }
      try await proxy.waitForBytes(3)
      task.cancel()
      await #expect {
        try await task.value
      } throws: { ($0 as? MartletError)?.code == .cancelled }
      try await proxy.waitForConnectionsClosed()
      await proxy.stop()
    }
  }

  @Test func `an engine that is shut down leaves no proxy waiting`() async throws {
    let proxy = try await ScriptedServer.start(Script([.stall]))
    let engine = HTTPTransport.through(try .local(.http, proxy.port))
    let task = Task { try await engine.send(Request(.get, Self.url)) }
    try await proxy.waitForBytes(3)
    engine.shutDown()
    await #expect {
      try await task.value
    } throws: { ($0 as? MartletError)?.code == .shutDown }
    try await proxy.waitForConnectionsClosed()
    await proxy.stop()
  }

  @Test func `no error says the password`() async throws {
    for kind in Proxy.Kind.allCases {
      for steps in [
        [.readBytes(3), .close], [.readBytes(3), .send("\u{5}\u{1}"), .stall],
        [.readBytes(3), .send("HTTP/1.1 407 Who?\r\nContent-Length: 0\r\n\r\n"), .stall],
      ] as [[Script.Step]] {
        let proxy = try await ScriptedServer.start(Script(steps))
        let route = try ProxyRoute.local(kind, proxy.port, user: "user", password: "canary")
        let engine = HTTPTransport.through(route) { $0.timeouts.tls = .milliseconds(300) }
        let error = await engine.failure(Self.url)
        var dumped = ""
        dump(error, to: &dumped)
        #expect(!dumped.contains("canary") && !"\(String(describing: error))".contains("canary"))
        await proxy.stop()
      }
    }
  }
}

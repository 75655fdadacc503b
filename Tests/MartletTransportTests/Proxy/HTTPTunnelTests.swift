import Foundation
import HTTPTypes
import MartletCore
import NIOCore
import Testing

@testable import MartletTransport

/// What is said to an HTTP proxy until there is a tunnel, step by step.
struct HTTPTunnelTests {
  private func tunnel(
    _ proxy: String = "http://user:secret@p:3128", to url: String = "https://example.com/"
  ) throws -> HTTPTunnel {
    let access = ProxyAccess(try Proxy(proxy), tls: TLSOptions())
    return HTTPTunnel(
      access, to: try Request(.get, url).origin, HTTPTransportConfiguration.Limits())
  }

  private static let ask = """
    CONNECT example.com:443 HTTP/1.1\r
    Host: example.com:443\r
    \r\n
    """

  /// Stands between two answers, for a proxy that is asked twice.
  private static let again = "—"

  private static let basic = """
    HTTP/1.1 407 Who?\r
    Proxy-Authenticate: Basic realm="p"\r
    Content-Length: 3\r
    \r
    no!
    """

  @Test(arguments: [
    ("https://example.com/", "example.com:443"), ("https://example.com:8443/", "example.com:8443"),
    ("http://example.com/", "example.com:80"), ("https://[::1]/", "[::1]:443"),
    ("https://10.0.0.1:1/", "10.0.0.1:1"),
  ])
  func `the request names host and port, and nothing else`(url: String, target: String) throws {
    var tunnel = try tunnel(to: url)
    let request = "CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n\r\n"
    #expect(try tunnel.next() == .send(ByteBuffer(string: request)))
    #expect(try tunnel.next() == .wait)
  }

  @Test(arguments: [
    "HTTP/1.1 200 Connection established\r\n\r\n", "HTTP/1.0 200 OK\r\n\r\n",
    "HTTP/1.1 204\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\nProxy-Agent: x\n\n",
  ])
  func `what comes behind a success is the server's, and nothing before it`(head: String) throws {
    let early = ByteBuffer(string: "HELLO\r\n")
    var tunnel = try tunnel()
    _ = try tunnel.next()
    tunnel.receive(ByteBuffer(string: head + "HELLO\r\n"))
    #expect(try tunnel.next() == .open(early))

    // The same, byte by byte: what has not come then goes past the negotiation.
    var slow = try self.tunnel()
    _ = try slow.next()
    for byte in head.utf8.dropLast() {
      slow.receive(ByteBuffer(integer: byte))
      #expect(try slow.next() == .wait)
    }
    slow.receive(ByteBuffer(bytes: head.utf8.suffix(1)))
    #expect(try slow.next() == .open(ByteBuffer()))
    #expect(try slow.next() == .wait)
  }

  @Test func `a proxy that requires authentication gets a credential over the same connection`()
    throws
  {
    var tunnel = try tunnel()
    #expect(try tunnel.next() == .send(ByteBuffer(string: Self.ask)))
    tunnel.receive(ByteBuffer(string: Self.basic))
    let told = """
      CONNECT example.com:443 HTTP/1.1\r
      Host: example.com:443\r
      Proxy-Authorization: Basic dXNlcjpzZWNyZXQ=\r
      \r\n
      """
    #expect(try tunnel.next() == .send(ByteBuffer(string: told)))
    tunnel.receive(ByteBuffer(string: "HTTP/1.1 200 OK\r\n\r\n"))
    #expect(try tunnel.next() == .open(ByteBuffer()))
  }

  @Test(arguments: [
    "HTTP/1.1 407 Who?\r\nProxy-Authenticate: Basic realm=p\r\n\r\nto the end",
    "HTTP/1.1 407 Who?\r\nProxy-Authenticate: Basic realm=p\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.0 407 Who?\r\nProxy-Authenticate: Basic realm=p\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 407 Who?\r\nProxy-Authenticate: Basic realm=p\r\nContent-Length: 0\r\n\r\nmore",
    "HTTP/1.1 407 Who?\r\nProxy-Authenticate: Basic realm=p\r\nContent-Length: 70000\r\n\r\n"
      + String(repeating: "x", count: 70_000),
  ])
  func `or over another, if this one is of no more use`(answer: String) throws {
    var tunnel = try tunnel()
    _ = try tunnel.next()
    tunnel.receive(ByteBuffer(string: answer))
    #expect(try tunnel.next() == .startOver)
  }

  @Test func `the strongest way that the proxy offers is taken, once for all its connections`()
    throws
  {
    let access = ProxyAccess(try Proxy("http://user:secret@p"), tls: TLSOptions())
    let origin = try Request(.get, "https://example.com/").origin
    var tunnel = HTTPTunnel(access, to: origin, HTTPTransportConfiguration.Limits())
    _ = try tunnel.next()
    tunnel.receive(
      ByteBuffer(
        string:
          "HTTP/1.1 407 Who?\r\nProxy-Authenticate: Basic realm=p\r\nProxy-Authenticate: Digest realm=p, nonce=abc, qop=auth, algorithm=SHA-256\r\nContent-Length: 0\r\n\r\n"
      ))
    let told = try text(tunnel.next())
    #expect(told.contains("\r\nProxy-Authorization: Digest "))
    #expect(told.contains("uri=\"example.com:443\""))
    #expect(told.contains("nc=00000001"))

    var other = HTTPTunnel(access, to: origin, HTTPTransportConfiguration.Limits())
    #expect(try text(other.next()).contains("nc=00000002"))
  }

  private func text(_ step: TunnelStep) -> String {
    if case .send(let bytes) = step { String(buffer: bytes) } else { "" }
  }

  @Test(
    arguments: [
      (
        "http://p", basic, MartletError.Code.proxyAuthenticationRequired,
        "The proxy http://p:80 requires authentication: put the user name and password into its URL, before the host and an @."
      ),
      (
        "http://user:secret@p", basic + again + basic, .proxyAuthenticationRequired,
        "The proxy http://p:80 does not accept the user and the password: check both."
      ),
      (
        "http://user:secret@p",
        "HTTP/1.1 407 Who?\r\nProxy-Authenticate: NTLM\r\nContent-Length: 0\r\n\r\n",
        .proxyAuthenticationRequired,
        "The proxy http://p:80 requires an authentication scheme that is not supported: have it offer Basic or Digest."
      ),
      (
        "https://p", "HTTP/1.1 403 Forbidden\r\n\r\nno", .proxyRefused,
        "The proxy https://p:443 made no connection to https://example.com, but answered 403 Forbidden: check the URL, or ask the operator of the proxy."
      ),
      (
        "http://p", "HTTP/1.1 302 Found\r\nLocation: http://evil/\r\n\r\n", .proxyRefused,
        "The proxy http://p:80 made no connection to https://example.com, but answered 302 Found: check the URL, or ask the operator of the proxy."
      ),
      (
        "http://p", "SSH-2.0-OpenSSH_9.6\r\n\r\n", .proxyFailed,
        "The answer of the proxy http://p:80 is not HTTP/1.1: check its address, and that it is an HTTP proxy."
      ),
      (
        "http://p", String(repeating: "x", count: 300_000), .proxyFailed,
        "The answer of the proxy http://p:80 is not HTTP/1.1: check its address, and that it is an HTTP proxy."
      ),
      (
        "http://p", String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 33), .proxyFailed,
        "The answer of the proxy http://p:80 is not HTTP/1.1: check its address, and that it is an HTTP proxy."
      ),
      (
        "http://user:secret@p",
        "HTTP/1.1 407 Who?\r\nProxy-Authenticate: Basic realm=p\r\nContent-Length: x\r\n\r\n",
        .proxyFailed,
        "The answer of the proxy http://p:80 is not HTTP/1.1: check its address, and that it is an HTTP proxy."
      ),
    ] as [(String, String, MartletError.Code, String)])
  func `whatever keeps the tunnel shut has its sentence`(
    proxy: String, answer: String, code: MartletError.Code, sentence: String
  ) throws {
    let tunnel = try tunnel(proxy)
    let error = #expect(throws: MartletError.self) {
      var tunnel = tunnel
      for part in answer.components(separatedBy: Self.again) {
        while case .send = try tunnel.next() {}
        tunnel.receive(ByteBuffer(string: part))
      }
      _ = try tunnel.next()
    }
    #expect(error?.message == sentence)
    #expect(error?.code == code)
    #expect(error?.phase == .proxy)
    #expect(error?.isSafeToRetry == true)
  }

  /// A nonce that never fits.
  @Test func `a proxy that rejects every answer is an error in the end`() throws {
    var tunnel = try tunnel()
    _ = try tunnel.next()
    let error = #expect(throws: MartletError.self) {
      var tunnel = tunnel
      for round in 0..<100 {
        tunnel.receive(
          ByteBuffer(
            string:
              "HTTP/1.1 407 Who?\r\nProxy-Authenticate: Digest realm=p, nonce=n\(round), stale=true, qop=auth\r\nContent-Length: 0\r\n\r\n"
          ))
        _ = try tunnel.next()
      }
    }
    #expect(
      error?.message
        == "The proxy http://p:3128 rejects each answer to its challenges as out of date: try again, or ask the operator of the proxy."
    )
    #expect(error?.code == .proxyAuthenticationRequired)
  }

  // MARK: From one tunnel to the next

  /// A proxy's question, with a nonce.
  private func question(_ nonce: String, realm: String = "p", _ fields: String = "") -> ByteBuffer {
    ByteBuffer(
      string:
        "HTTP/1.1 407 Who?\r\nProxy-Authenticate: Digest realm=\(realm), nonce=\(nonce), qop=auth\r\n\(fields)Content-Length: 0\r\n\r\n"
    )
  }

  /// What is said first in another tunnel, after one that a proxy has let through with these fields.
  private func next(after fields: String = "") throws -> (tunnel: HTTPTunnel, told: String) {
    let access = ProxyAccess(try Proxy("http://user:secret@p"), tls: TLSOptions())
    let origin = try Request(.get, "https://example.com/").origin
    var tunnel = HTTPTunnel(access, to: origin, HTTPTransportConfiguration.Limits())
    _ = try tunnel.next()
    tunnel.receive(question("abc"))
    _ = try tunnel.next()
    tunnel.receive(ByteBuffer(string: "HTTP/1.1 200 OK\r\n\(fields)\r\n"))
    #expect(try tunnel.next() == .open(ByteBuffer()))
    var other = HTTPTunnel(access, to: origin, HTTPTransportConfiguration.Limits())
    let told = try text(other.next())
    return (other, told)
  }

  @Test func `the nonce that the proxy wants to see next is what it sees`() throws {
    let (next, told) = try next(after: "Proxy-Authentication-Info: nextnonce=\"def\"\r\n")
    #expect(told.contains("nonce=\"def\"") && told.contains("nc=00000001"))
    var tunnel = next
    // One that it has forgotten meanwhile says nothing about the password.
    tunnel.receive(question("ghi"))
    #expect(try text(tunnel.next()).contains("nonce=\"ghi\""))
    tunnel.receive(question("jkl"))
    let last = tunnel
    let error = #expect(throws: MartletError.self) {
      var tunnel = last
      _ = try tunnel.next()
    }
    #expect(
      error?.message
        == "The proxy http://p:80 does not accept the user and the password: check both.")
  }

  @Test func `a proxy may change the name of its realm`() throws {
    let (next, told) = try next()
    var tunnel = next
    #expect(told.contains("realm=\"p\"") && told.contains("nc=00000002"))
    tunnel.receive(question("def", realm: "q"))
    #expect(try text(tunnel.next()).contains("realm=\"q\", nonce=\"def\""))
  }

  @Test func `a wrong password is one over another connection, too`() throws {
    let access = ProxyAccess(try Proxy("http://user:wrong@p"), tls: TLSOptions())
    let origin = try Request(.get, "https://example.com/").origin
    var tunnel = HTTPTunnel(access, to: origin, HTTPTransportConfiguration.Limits())
    _ = try tunnel.next()
    tunnel.receive(question("abc", "Connection: close\r\n"))
    #expect(try tunnel.next() == .startOver)
    let error = #expect(throws: MartletError.self) {
      var other = HTTPTunnel(
        access, to: origin, HTTPTransportConfiguration.Limits(), wasChallenged: true)
      _ = try other.next()
      other.receive(question("def"))
      _ = try other.next()
    }
    #expect(
      error?.message
        == "The proxy http://p:80 does not accept the user and the password: check both.")
  }
}

import HTTPTypes
import MartletCore
import NIOCore
import Testing

@testable import MartletTransport

/// What is said to a SOCKS 5 proxy, step by step.
struct SOCKS5HandshakeTests {
  private func handshake(
    _ proxy: String = "socks5://p", to url: String = "https://example.com/"
  ) throws -> SOCKS5Handshake {
    try SOCKS5Handshake(Proxy(proxy), to: Request(.get, url).origin)
  }

  private static let success: [UInt8] = [5, 0, 0, 1, 127, 0, 0, 1, 0x12, 0x34]

  /// Feeds what a proxy sends, all at once or byte by byte, and returns what it receives.
  private func run(
    _ handshake: SOCKS5Handshake, _ answers: [[UInt8]], isSlow: Bool = false
  ) throws -> (heard: [[UInt8]], last: TunnelStep) {
    var handshake = handshake
    var heard: [[UInt8]] = []
    var last = try handshake.next()
    for bytes in isSlow ? answers.joined().map({ [$0] }) : answers {
      if case .send(let bytes) = last { heard.append(Array(bytes.readableBytesView)) }
      handshake.receive(ByteBuffer(bytes: bytes))
      last = try handshake.next()
    }
    return (heard, last)
  }

  @Test(arguments: [false, true])
  func `a name is left to the proxy to look up`(isSlow: Bool) throws {
    let (heard, last) = try run(handshake(), [[5, 0], Self.success], isSlow: isSlow)
    let name = Array("example.com".utf8)
    #expect(heard == [[5, 1, 0], [5, 1, 0, 3, 11] + name + [0x01, 0xBB]])
    #expect(last == .open(ByteBuffer()))
  }

  @Test(
    arguments: [
      ("http://10.1.2.3:8080/", [1, 10, 1, 2, 3, 0x1F, 0x90]),
      ("http://[fd00::1]/", [4, 0xFD, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 80]),
    ] as [(String, [UInt8])])
  func `an address is sent as one`(url: String, address: [UInt8]) throws {
    let (heard, _) = try run(handshake(to: url), [[5, 0], Self.success])
    #expect(heard.last == [5, 1, 0] + address)
  }

  @Test(arguments: [false, true])
  func `a proxy that requires authentication receives user and password`(isSlow: Bool) throws {
    let (heard, last) = try run(
      handshake("socks5://tern:f%C3%BC@p"), [[5, 2], [1, 0], Self.success], isSlow: isSlow)
    #expect(heard[0] == [5, 2, 0, 2])
    #expect(heard[1] == [1, 4] + Array("tern".utf8) + [3] + Array("fü".utf8))
    #expect(last == .open(ByteBuffer()))
  }

  @Test func `and one that does not receives neither`() throws {
    let (heard, _) = try run(handshake("socks5://tern:secret@p"), [[5, 0], Self.success])
    #expect(heard.count == 2)
    #expect(heard[1].prefix(4) == [5, 1, 0, 3])
  }

  @Test(
    arguments: [
      [5, 0, 0, 1, 1, 2, 3, 4, 0, 80], [5, 0, 0, 3, 2, 97, 98, 0, 80], [5, 0, 0, 3, 0, 0, 80],
      [5, 0, 0, 4] + Array(repeating: 7, count: 18),
    ] as [[UInt8]])
  func `what comes behind the reply is the server's`(reply: [UInt8]) throws {
    let (_, last) = try run(handshake(), [[5, 0], reply + Array("HELLO".utf8)])
    #expect(last == .open(ByteBuffer(string: "HELLO")))
    for count in 1..<reply.count {
      #expect(try run(handshake(), [[5, 0], Array(reply.prefix(count))]).last == .wait)
    }
  }

  @Test(
    arguments: [
      (
        "socks5://p", [[5, 0xFF]], MartletError.Code.proxyAuthenticationRequired,
        "The proxy socks5://p:1080 requires authentication: put the user name and password into its URL, before the host and an @."
      ),
      (
        "socks5://u:secret@p", [[5, 0xFF]], .proxyAuthenticationRequired,
        "The proxy socks5://p:1080 does not accept the user and the password: check both."
      ),
      (
        "socks5://u:secret@p", [[5, 2], [1, 1]], .proxyAuthenticationRequired,
        "The proxy socks5://p:1080 does not accept the user and the password: check both."
      ),
      ("socks5://p", [[5, 2]], .proxyFailed, notSOCKS),
      ("socks5://p", [[5, 9]], .proxyFailed, notSOCKS),
      ("socks5://p", [[4, 0]], .proxyFailed, notSOCKS),
      ("socks5://p", [Array("HTTP/1.1 400".utf8)], .proxyFailed, notSOCKS),
      ("socks5://u:secret@p", [[5, 2], [5, 0]], .proxyFailed, notSOCKS),
      ("socks5://p", [[5, 0], [5, 0, 0, 9, 1]], .proxyFailed, notSOCKS),
      ("socks5://p", [[5, 0], [4, 90]], .proxyFailed, notSOCKS),
    ] as [(String, [[UInt8]], MartletError.Code, String)])
  func `whatever is no way through has its sentence`(
    proxy: String, answers: [[UInt8]], code: MartletError.Code, sentence: String
  ) throws {
    let error = #expect(throws: MartletError.self) { try run(handshake(proxy), answers) }
    #expect(error?.message == sentence)
    #expect(error?.code == code)
  }

  private static let notSOCKS =
    "The answer of the proxy socks5://p:1080 is not SOCKS 5: check its address, and that it is a SOCKS proxy."

  @Test(
    arguments: [
      (1, "it failed, and does not say why"), (2, "its rules forbid it"),
      (3, "it has no route to the network"),
      (4, "it has no route to the host, or does not know it"),
      (5, "nothing listens there"), (6, "no answer came in time"),
      (7, "it makes no connections at all"), (8, "it does not know this kind of address"),
      (9, "it replied with the unknown code 9"),
      (255, "it replied with the unknown code 255"),
    ] as [(UInt8, String)])
  func `each reason of the proxy is said in words`(code: UInt8, reason: String) throws {
    // Some say no more than that.
    for reply in [[5, code], [5, code, 0, 1, 0, 0, 0, 0, 0, 0]] {
      let error = #expect(throws: MartletError.self) { try run(handshake(), [[5, 0], reply]) }
      #expect(
        error?.message
          == "The proxy socks5://p:1080 made no connection to https://example.com: \(reason).")
      #expect(error?.code == (code == 1 ? .proxyFailed : .proxyRefused))
    }
  }

  @Test func `a name that is too long to be sent is refused`() throws {
    let name = Array(repeating: String(repeating: "a", count: 60), count: 5).joined(separator: ".")
    let error = #expect(throws: MartletError.self) { try handshake(to: "http://\(name)/") }
    #expect(
      error?.message
        == "The host name has 304 bytes, which is too long for the proxy socks5://p:1080: SOCKS 5 allows 255."
    )
    #expect(error?.code == .invalidURL)
  }

  @Test func `a proxy that closes instead of saying no has refused`() throws {
    var asked = try handshake("socks5://u:secret@p")
    #expect(
      asked.closed(underlying: nil).message
        == "The proxy socks5://p:1080 closed the connection before it had connected to https://example.com: try again."
    )
    _ = try asked.next()
    asked.receive(ByteBuffer(bytes: [5, 2]))
    _ = try asked.next()
    #expect(asked.closed(underlying: nil).code == .proxyAuthenticationRequired)
  }
}

import Foundation
import Martlet
import NIOCore

@testable import MartletTransport

/// What the environment says about proxies, and what proxies say.
extension Target {
  func proxy(_ data: Data) throws {
    let text = String(decoding: data, as: UTF8.self)
    let proxy = try Proxy(text)
    precondition((1...65535).contains(proxy.port) && !proxy.host.isEmpty)
    let again = try? Proxy(
      proxy.kind, host: proxy.host, port: proxy.port, user: proxy.user, password: proxy.password)
    precondition(again == proxy)
  }

  func proxyHosts(_ data: Data) throws {
    let hosts = try HostList(String(decoding: data, as: UTF8.self))
    let again = try? HostList("\(hosts)")
    precondition(again == hosts)
    for url in ["http://www.example.com:8080/", "https://10.1.2.3/", "http://[fd00::1]/"] {
      guard let origin = try? Request(.get, url).origin else { continue }
      _ = hosts.contains(origin)
    }
  }

  func tunnel(_ data: Data) throws {
    let proxy = try Proxy("http://user:password@proxy:3128")
    let origin = try Request(.get, "https://example.com/").origin
    try negotiate(data) {
      let access = ProxyAccess(proxy, tls: TLSOptions())
      return HTTPTunnel(access, to: origin, HTTPTransportConfiguration.Limits())
    }
  }

  func socks5(_ data: Data) throws {
    let proxy = try Proxy("socks5://user:password@proxy")
    let origin = try Request(.get, "https://example.com/").origin
    try negotiate(data) { try SOCKS5Handshake(proxy, to: origin) }
  }

  /// However the bytes are cut, they lead to the same end, and what is the server's is not lost.
  private func negotiate(_ data: Data, _ make: () throws -> any TunnelNegotiation) throws {
    let bytes = Array(data)
    var slow = try make()
    var rest: [UInt8]?
    for (index, byte) in bytes.enumerated() {
      slow.receive(ByteBuffer(integer: byte))
      guard let step = try end(of: &slow) else { continue }
      if case .open(let early) = step {
        rest = Array(early.readableBytesView) + bytes[(index + 1)...]
      }
      break
    }
    guard let rest else { return }
    var fast = try make()
    fast.receive(ByteBuffer(bytes: bytes))
    let end = try? end(of: &fast)
    // Bytes that come too early, behind a question, have the proxy asked over another connection.
    precondition(end == .open(ByteBuffer(bytes: rest)) || end == .startOver)
  }

  /// The end of a negotiation that has all it can have for now; `nil` when it waits for more.
  private func end(of negotiation: inout any TunnelNegotiation) throws -> TunnelStep? {
    for _ in 0..<1_000 {
      switch try negotiation.next() {
      case .send: continue
      case .wait: return nil
      case let end: return end
      }
    }
    preconditionFailure("It goes on for ever.")
  }
}

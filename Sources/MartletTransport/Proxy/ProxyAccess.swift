import EssentialFoundation
import HTTPTypes
import MartletCore
import NIOCore

/// How all connections of an engine are let in to one proxy.
final class ProxyAccess: Sendable {
  let proxy: Proxy
  private let tls: TLSOptions
  private let authenticator: PasswordAuthenticator?
  private let known = Locked<TLSHandshake?>(nil)

  /// - Parameters:
  ///   - proxy: The proxy.
  ///   - tls: Whom to trust. An evaluator is about servers, and not asked about proxies.
  init(_ proxy: Proxy, tls: TLSOptions) {
    self.proxy = proxy
    var tls = tls
    tls.evaluator = nil
    self.tls = tls
    authenticator = proxy.credential.map { PasswordAuthenticator($0) }
  }

  /// The proxy without user and password, as messages have it.
  var name: String { proxy.address }

  /// Whether the proxy passes requests for a server on, in place of bytes.
  func forwards(to origin: Origin, _ versions: HTTPTransportConfiguration.Versions) -> Bool {
    proxy.kind != .socks5 && !origin.isSecure && versions != .http2
  }

  /// The handshakes with the proxy; `nil` when it does not speak TLS.
  ///
  /// - Throws: `MartletError` with code `.invalidTrustRoots` or `.invalidTLSOptions`.
  func handshake() throws(MartletError) -> TLSHandshake? {
    guard proxy.kind == .https else { return nil }
    if let known = known.current { return known }
    // What is spoken within is HTTP/1.1, whatever servers are asked for.
    let handshake = try TLSHandshakeFactory(tls, versions: .http1).handshake(with: proxy.origin)
    known.withLock { $0 = handshake }
    return handshake
  }

  /// How the proxy is asked for a tunnel.
  ///
  /// - Parameters:
  ///   - origin: Where it leads.
  ///   - limits: How much the proxy may say.
  ///   - wasChallenged: Whether the proxy wanted to know who asks, and closed the connection then.
  /// - Returns: What is said, from the start.
  /// - Throws: `MartletError` for a server that the proxy cannot be told of.
  func negotiation(
    to origin: Origin, _ limits: HTTPTransportConfiguration.Limits, wasChallenged: Bool
  ) throws(MartletError) -> any TunnelNegotiation {
    guard proxy.kind == .socks5 else {
      return HTTPTunnel(self, to: origin, limits, wasChallenged: wasChallenged)
    }
    return try SOCKS5Handshake(proxy, to: origin)
  }

  // MARK: Who asks

  /// The value of `Proxy-Authorization`; `nil` before the proxy has asked, and when there is nothing to say.
  func authorization(method: String, target: String, body: ByteBuffer? = nil) -> String? {
    authenticator?.authorization(method: method, target: target, body: body)
  }

  /// Takes note of what the proxy wants to know; returns when it can be asked again.
  ///
  /// - Parameters:
  ///   - head: Its answer, whose status is 407.
  ///   - answered: What it was told before.
  ///   - wasChallenged: Whether that was an answer to a question, and not said from the start.
  /// - Throws: `MartletError` with code `.proxyAuthenticationRequired` when there is no use in asking again.
  func receiveChallenge(
    _ head: ResponseHead, to answered: String?, wasChallenged: Bool
  ) throws(MartletError) {
    guard let authenticator else { throw .proxyCredentialsMissing(name) }
    let challenges = head.headers[values: .proxyAuthenticate]
    switch authenticator.receiveChallenges(challenges, to: answered, wasChallenged: wasChallenged) {
    case .retry: break
    // The user is the proxy's, whatever it exchanges itself now.
    case .otherRealm: _ = authenticator.receiveChallenges(challenges, to: nil)
    case .refused: throw .proxyRefusesCredentials(name)
    case .unsupported: throw .unsupportedProxyAuthentication(name)
    }
  }

  /// Takes note of what the proxy wants to be told next (RFC 7616 §3.5).
  ///
  /// - Parameter head: An answer that let the request through.
  func receiveAuthenticationInfo(_ head: ResponseHead) {
    guard let authenticator, let information = head.headers[.proxyAuthenticationInfo] else {
      return
    }
    authenticator.receiveAuthenticationInfo(information)
  }
}

import EssentialFoundation
import HTTPTypes
import MartletCore
import NIOCore

/// TLS and authentication for all connections of an engine to one proxy.
final class ProxyAccess: Sendable {
  let proxy: Proxy
  private let tls: TLSOptions
  private let authenticator: PasswordAuthenticator?
  private let cachedHandshake = Locked<TLSHandshake?>(nil)

  /// - Parameters:
  ///   - proxy: The proxy.
  ///   - tls: The options for TLS with the proxy. Their evaluator is for servers only, and is not used.
  init(_ proxy: Proxy, tls: TLSOptions) {
    self.proxy = proxy
    var tls = tls
    tls.evaluator = nil
    self.tls = tls
    authenticator = proxy.credential.map { PasswordAuthenticator($0) }
  }

  /// The URL of the proxy without user and password, for messages.
  var name: String { proxy.address }

  /// Whether the proxy forwards requests to a server instead of bytes.
  func forwards(to origin: Origin, _ versions: HTTPTransportConfiguration.Versions) -> Bool {
    proxy.kind != .socks5 && !origin.isSecure && versions != .http2
  }

  /// The TLS handshake with the proxy; `nil` when the proxy does not use TLS.
  ///
  /// - Throws: `MartletError` with code `.invalidTrustRoots`, `.invalidHostPattern` or `.invalidTLSOptions`.
  func handshake() throws(MartletError) -> TLSHandshake? {
    guard proxy.kind == .https else { return nil }
    if let handshake = cachedHandshake.current { return handshake }
    // The protocol with the proxy is HTTP/1.1, whatever the versions for servers are.
    let handshake = try TLSHandshakeFactory(tls, versions: .http1).handshake(with: proxy.origin)
    cachedHandshake.withLock { $0 = handshake }
    return handshake
  }

  /// The negotiation that opens a tunnel through the proxy.
  ///
  /// - Parameters:
  ///   - origin: The server at the end of the tunnel.
  ///   - limits: The limits on the proxy's responses.
  ///   - wasChallenged: Whether the proxy required authentication and then closed the connection.
  /// - Returns: A negotiation at its start.
  /// - Throws: `MartletError` for a server whose name is too long for SOCKS 5.
  func negotiation(
    to origin: Origin, _ limits: HTTPTransportConfiguration.Limits, wasChallenged: Bool
  ) throws(MartletError) -> any TunnelNegotiation {
    guard proxy.kind == .socks5 else {
      return HTTPTunnel(self, to: origin, limits, wasChallenged: wasChallenged)
    }
    return try SOCKS5Handshake(proxy, to: origin)
  }

  // MARK: Authentication

  /// The value of `Proxy-Authorization`; `nil` before the first challenge, and for a proxy without a credential.
  func authorization(method: String, target: String, body: ByteBuffer? = nil) -> String? {
    authenticator?.authorization(method: method, target: target, body: body)
  }

  /// Handles a challenge of the proxy; returns if the request can be sent again.
  ///
  /// - Parameters:
  ///   - head: The proxy's response, with status 407.
  ///   - answered: The `Proxy-Authorization` of the request.
  ///   - wasChallenged: Whether `answered` was the answer to a challenge, and not sent in advance.
  /// - Throws: `MartletError` with code `.proxyAuthenticationRequired` if sending the request again is useless.
  func receiveChallenge(
    _ head: ResponseHead, to answered: String?, wasChallenged: Bool
  ) throws(MartletError) {
    guard let authenticator else { throw .proxyCredentialsMissing(name) }
    let challenges = head.headers[values: .proxyAuthenticate]
    switch authenticator.receiveChallenges(challenges, to: answered, wasChallenged: wasChallenged) {
    case .retry: break
    // The credential is for the proxy, whatever realm it names now.
    case .otherRealm: _ = authenticator.receiveChallenges(challenges, to: nil)
    case .refused: throw .proxyRefusesCredentials(name)
    case .unsupported: throw .unsupportedProxyAuthentication(name)
    }
  }

  /// Handles the `Proxy-Authentication-Info` of a response (RFC 7616 §3.5).
  ///
  /// - Parameter head: The response to a request that the proxy has accepted.
  func receiveAuthenticationInfo(_ head: ResponseHead) {
    guard let authenticator, let information = head.headers[.proxyAuthenticationInfo] else {
      return
    }
    authenticator.receiveAuthenticationInfo(information)
  }
}

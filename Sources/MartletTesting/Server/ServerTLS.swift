package import NIOSSL

/// The TLS settings of a test server.
public struct ServerTLS: Sendable {
  /// The versions of TLS.
  public enum Version: Int, Hashable, Comparable, Sendable {
    /// RFC 2246, obsolete.
    case tls10
    /// RFC 4346, obsolete.
    case tls11
    /// RFC 5246.
    case tls12
    /// RFC 8446.
    case tls13

    /// Whether `left` is older than `right`.
    public static func < (left: Version, right: Version) -> Bool { left.rawValue < right.rawValue }
  }

  /// The certificate chain and the private key of the server.
  public var credential: CertifiedKey
  /// The versions to accept. The default is TLS 1.2 and 1.3.
  public var versions: ClosedRange<Version> = .tls12 ... .tls13
  /// The protocols offered with ALPN (RFC 7301), in order of preference: `h2`, `http/1.1` or both. The default is
  /// `http/1.1`.
  public var protocols = ["http/1.1"]
  /// The trust anchors for client certificates, as DER. The default is none: no client certificate is requested.
  public var clientRoots: [[UInt8]] = []

  /// TLS with the given certificates and the defaults for everything else.
  public init(_ credential: CertifiedKey) {
    self.credential = credential
  }

  /// How the protocol of a new connection is chosen: by the TLS handshake if HTTP/2 is offered.
  var protocolSelection: HTTPService.ProtocolSelection {
    protocols.contains("h2") ? .negotiated : .http1
  }

  package func context() throws -> NIOSSLContext {
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: try credential.certificateSources(),
      privateKey: try credential.privateKeySource())
    configuration.minimumTLSVersion = versions.lowerBound.version
    configuration.maximumTLSVersion = versions.upperBound.version
    configuration.applicationProtocols = protocols
    if !clientRoots.isEmpty {
      configuration.certificateVerification = .noHostnameVerification
      configuration.trustRoots = .certificates(
        try clientRoots.map { try NIOSSLCertificate(bytes: $0, format: .der) })
    }
    return try NIOSSLContext(configuration: configuration)
  }
}

extension ServerTLS.Version {
  fileprivate var version: TLSVersion {
    switch self {
    case .tls10: .tlsv1
    case .tls11: .tlsv11
    case .tls12: .tlsv12
    case .tls13: .tlsv13
    }
  }
}

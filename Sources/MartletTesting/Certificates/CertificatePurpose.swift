import X509

/// What the key of a certificate may be used for (RFC 5280 §4.2.1.12).
public enum CertificatePurpose: Hashable, Sendable {
  /// To be a TLS server.
  case server
  /// To be a TLS client.
  case client

  var usage: ExtendedKeyUsage.Usage {
    switch self {
    case .server: .serverAuth
    case .client: .clientAuth
    }
  }
}

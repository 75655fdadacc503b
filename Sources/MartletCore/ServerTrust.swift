/// What a TLS server shows of itself: the certificates it sent and the name it was asked for by.
public struct ServerTrust: Hashable, Sendable {
  /// The certificates as DER, the server's own first.
  public var certificates: [[UInt8]]
  /// The host name or address of the URL.
  public var host: String

  /// A trust from its parts.
  public init(certificates: [[UInt8]], host: String) {
    self.certificates = certificates
    self.host = host
  }
}

/// Decides whether a TLS server is who it should be.
public protocol TrustEvaluating: Sendable {
  /// Returns when the server is to be trusted.
  ///
  /// - Throws: `MartletError`, with one of the certificate codes, when it is not.
  func evaluate(_ trust: ServerTrust) async throws
}

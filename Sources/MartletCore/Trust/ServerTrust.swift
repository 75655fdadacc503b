/// The certificates of a TLS server and the result of their evaluation.
///
/// It is made for every new connection, before any part of a request is sent.
public struct ServerTrust: Hashable, Sendable {
  /// The result of the evaluation.
  public enum Verdict: Hashable, Sendable {
    /// The server has not been evaluated yet.
    case unknown
    /// The server is trusted.
    case trusted
    /// The server is not trusted, for these reasons, the most important first.
    case untrusted([TrustProblem])
  }

  /// The certificates that the server sent, as DER, its own first.
  public var certificates: [[UInt8]]
  /// The host name or address of the URL.
  public var host: String
  /// The certificate chain from the server's own certificate to the root, as DER. Empty before the evaluation.
  ///
  /// If no chain could be verified, it ends where a certificate is not signed by the next.
  public var chain: [[UInt8]] = []
  /// The result of the evaluation.
  public var verdict = Verdict.unknown

  /// A trust that has not been evaluated.
  ///
  /// - Parameters:
  ///   - certificates: The certificates that the server sent, as DER, its own first.
  ///   - host: The host name or address of the URL.
  public init(certificates: [[UInt8]], host: String) {
    self.certificates = certificates
    self.host = host
  }

  /// Whether the verdict is `.trusted`.
  public var isTrusted: Bool { verdict == .trusted }

  /// The reasons why the server is not trusted; empty if it is trusted, and before the evaluation.
  public var problems: [TrustProblem] {
    if case .untrusted(let problems) = verdict { problems } else { [] }
  }

  /// The error for a server that is not trusted or has not been evaluated; `nil` if it is trusted.
  public var error: MartletError? {
    guard !isTrusted else { return nil }
    var error = (problems.first ?? TrustProblem(.unknownAuthority)).error(host: host)
    error.trust = self
    return error
  }
}

/// Decides whether a TLS server is trusted.
public protocol TrustEvaluating: Sendable {
  /// Evaluates a server, and returns normally if it is trusted.
  ///
  /// - Throws: `MartletError` with one of the certificate codes if the server is not trusted.
  func evaluate(_ trust: ServerTrust) async throws
}

/// What a TLS server shows of itself, and what became of it.
///
/// Made for every new connection, before a byte of a request is sent.
public struct ServerTrust: Hashable, Sendable {
  /// Whether a server is to be trusted.
  public enum Verdict: Hashable, Sendable {
    /// It has not been evaluated yet.
    case unknown
    /// It is who it should be.
    case trusted
    /// It is not, for these reasons, the weightiest first.
    case untrusted([TrustProblem])
  }

  /// The certificates that the server sent, as DER, its own first.
  public var certificates: [[UInt8]]
  /// The host name or address of the URL.
  public var host: String
  /// The chain from the server's own certificate up to the root, as DER: as it was verified, or as far as
  /// each certificate is signed by the next. Empty before the evaluation.
  public var chain: [[UInt8]] = []
  /// Whether the server is to be trusted.
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

  /// Whether the verdict is that the server is to be trusted.
  public var isTrusted: Bool { verdict == .trusted }

  /// Why the server is not trusted; empty when it is, and before the evaluation.
  public var problems: [TrustProblem] {
    if case .untrusted(let problems) = verdict { problems } else { [] }
  }

  /// The error that says why the server is not trusted; `nil` when it is.
  public var error: MartletError? {
    guard !isTrusted else { return nil }
    var error = (problems.first ?? TrustProblem(.unknownAuthority)).error(host: host)
    error.trust = self
    return error
  }
}

/// Decides whether a TLS server is who it should be.
public protocol TrustEvaluating: Sendable {
  /// Returns when the server is to be trusted.
  ///
  /// - Throws: `MartletError`, with one of the certificate codes, when it is not.
  func evaluate(_ trust: ServerTrust) async throws
}

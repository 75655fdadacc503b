import MartletCore
import NIOCore
import NIOSSL

/// Turns errors of the TLS library into a `MartletError`.
enum HandshakeFailure {
  /// The error for a failed handshake.
  static func error(_ error: any Error, origin: Origin) -> MartletError {
    if isEnd(error) { return .closedDuringHandshake(origin, underlying: error) }
    var failure = known("\(error)", origin: origin) ?? .tlsFailed(origin, underlying: error)
    failure.underlying = error
    return failure
  }

  /// The error for a connection that ended after its handshake, if TLS is the reason.
  ///
  /// - Parameters:
  ///   - error: What ended the connection.
  ///   - origin: The server.
  ///   - proxy: The proxy of the connection, which may have a TLS of its own.
  ///   - phase: The phase of the exchange.
  /// - Returns: The error; `nil` if TLS is not the reason.
  static func afterHandshake(
    _ error: (any Error)?, origin: Origin, through proxy: String?, phase: MartletError.Phase
  ) -> MartletError? {
    guard let error else { return nil }
    let text = "\(error)"
    if text.contains("NO_RENEGOTIATION") {
      return .renegotiation(origin, phase: phase, underlying: error)
    }
    guard case BoringSSLError.sslError = error else { return nil }
    return isAlert(text)
      ? .endedByAlert(origin, through: proxy, phase: phase, underlying: error)
      : .brokenTLS(origin, through: proxy, phase: phase, underlying: error)
  }

  /// Whether an error of BoringSSL is an alert of the peer (RFC 8446 §6).
  static func isAlert(_ text: String) -> Bool {
    ["SSLV3_ALERT_", "TLSV1_ALERT_"].contains(where: text.contains)
  }

  /// Whether the server has closed the connection without an alert.
  private static func isEnd(_ error: any Error) -> Bool {
    if case NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake])) = error { return true }
    return error is ChannelError || error is IOError
  }

  /// The errors for reasons that have a sentence of their own, found by BoringSSL's names for them.
  private static func known(_ text: String, origin: Origin) -> MartletError? {
    if ["PROTOCOL_VERSION", "UNSUPPORTED_PROTOCOL"].contains(where: text.contains) {
      return .noCommonVersion(origin)
    }
    if text.contains("ALERT_HANDSHAKE_FAILURE") { return .noCommonAlgorithm(origin) }
    // BoringSSL reads the certificate and checks its key usage before it calls the evaluator.
    if text.contains("CANNOT_PARSE_LEAF_CERT") {
      return TrustProblem(.unreadable).error(host: origin.host)
    }
    // BoringSSL reads the other certificates as well, even if they are not needed.
    if ["X.509 certificate routines", "ASN.1 encoding routines"].contains(where: text.contains) {
      return TrustProblem(.unreadableIntermediate).error(host: origin.host)
    }
    if text.contains("KEY_USAGE_BIT_INCORRECT") {
      return TrustProblem(.wrongKeyUsage).error(host: origin.host)
    }
    return nil
  }
}

import MartletCore
import NIOCore
import NIOSSL

/// Turns what the TLS library says about a connection into the sentence for it.
enum HandshakeFailure {
  /// Why a handshake failed.
  static func error(_ error: any Error, origin: Origin) -> MartletError {
    if isEnd(error) { return .closedDuringHandshake(origin, underlying: error) }
    var failure = known("\(error)", origin: origin) ?? .tlsFailed(origin, underlying: error)
    failure.underlying = error
    return failure
  }

  /// Why a connection ended after its handshake, if TLS is the reason.
  static func later(_ error: (any Error)?, origin: Origin, phase: MartletError.Phase)
    -> MartletError?
  {
    guard let error, "\(error)".contains("NO_RENEGOTIATION") else { return nil }
    return .renegotiation(origin, phase: phase, underlying: error)
  }

  /// Whether the server has hung up, and said nothing.
  private static func isEnd(_ error: any Error) -> Bool {
    if case NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake])) = error { return true }
    return error is ChannelError || error is IOError
  }

  /// The reasons that have a sentence of their own, by the names that BoringSSL has for them.
  private static func known(_ text: String, origin: Origin) -> MartletError? {
    if ["PROTOCOL_VERSION", "UNSUPPORTED_PROTOCOL"].contains(where: text.contains) {
      return .noCommonVersion(origin)
    }
    if text.contains("ALERT_HANDSHAKE_FAILURE") { return .noCommonAlgorithm(origin) }
    // It reads the certificate, and looks at what its key is for, before it asks us.
    if text.contains("CANNOT_PARSE_LEAF_CERT") {
      return TrustProblem(.unreadable).error(host: origin.host)
    }
    // It reads the others as well, needed or not.
    if ["X.509 certificate routines", "ASN.1 encoding routines"].contains(where: text.contains) {
      return TrustProblem(.unreadableAbove).error(host: origin.host)
    }
    if text.contains("KEY_USAGE_BIT_INCORRECT") {
      return TrustProblem(.wrongKeyUsage).error(host: origin.host)
    }
    return nil
  }
}

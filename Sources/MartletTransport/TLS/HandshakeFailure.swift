import MartletCore

/// Turns what the TLS library says about a failed handshake into the sentence for it.
enum HandshakeFailure {
  static func error(_ error: any Error, origin: Origin) -> MartletError {
    var failure = known("\(error)", origin: origin) ?? .tlsFailed(origin, underlying: error)
    failure.underlying = error
    return failure
  }

  /// The reasons that have a sentence of their own, by the names that BoringSSL has for them.
  private static func known(_ text: String, origin: Origin) -> MartletError? {
    if ["PROTOCOL_VERSION", "UNSUPPORTED_PROTOCOL"].contains(where: text.contains) {
      return .noCommonVersion(origin)
    }
    // It reads the certificate, and looks at what its key is for, before it asks us.
    if text.contains("CANNOT_PARSE_LEAF_CERT") {
      return TrustProblem(.unreadable).error(host: origin.host)
    }
    if text.contains("KEY_USAGE_BIT_INCORRECT") {
      return TrustProblem(.wrongKeyUsage).error(host: origin.host)
    }
    return nil
  }
}

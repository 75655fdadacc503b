/// A server's request for a client certificate (RFC 8446 §4.3.2).
public struct IdentityChallenge: Hashable, Sendable {
  /// The host that asks.
  public let host: String
}

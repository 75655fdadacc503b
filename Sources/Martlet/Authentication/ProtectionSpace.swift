public import MartletCore

/// What one set of credentials lets in to: a realm of a server (RFC 9110 §11.5).
public struct ProtectionSpace: Hashable, Sendable {
  /// The server.
  public var origin: Origin
  /// The part of it, in its own words; `nil` where it names none.
  public var realm: String?

  /// A space from its parts.
  public init(origin: Origin, realm: String? = nil) {
    self.origin = origin
    self.realm = realm
  }
}

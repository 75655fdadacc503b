import Foundation

/// What a client shows to be let in.
///
/// Its descriptions show no secret.
public enum Credential: Hashable, Sendable {
  /// A user's name and password, for Basic (RFC 7617) and Digest (RFC 7616).
  case password(user: String, password: String)
  /// A token, for Bearer (RFC 6750).
  case bearer(String)
}

extension Credential {
  /// The value that needs no more than the credential itself, and its scheme.
  ///
  /// Basic is in UTF-8 (RFC 7617 §2.1). There is none for a user's name with a colon, which could not be told from
  /// the password.
  var field: (scheme: String, value: String)? {
    switch self {
    case .bearer(let token): return ("bearer", "Bearer \(token)")
    case .password(let user, let password):
      guard !user.utf8.contains(UInt8(ascii: ":")) else { return nil }
      return ("basic", "Basic " + Data("\(user):\(password)".utf8).base64EncodedString())
    }
  }
}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The kind, without any secret.
  public var description: String {
    switch self {
    case .password: "password(***)"
    case .bearer: "bearer(***)"
    }
  }

  /// The kind, without any secret.
  public var debugDescription: String { description }

  /// No parts: they are secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

import EssentialFoundation

/// A credential that a client uses to authenticate: a user name and password, or a token.
///
///     let ada = Credential.password(user: "ada", password: password, for: .digest)
///
/// Its descriptions contain no secrets.
public enum Credential: Hashable, Sendable {
  /// The authentication schemes that may use a password.
  public struct Schemes: OptionSet, Hashable, Sendable {
    /// One bit for each scheme.
    public let rawValue: Int

    /// Schemes from their bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Basic (RFC 7617): the server receives the password itself. Without TLS it is sent unencrypted.
    public static let basic = Schemes(rawValue: 1)
    /// Digest (RFC 7616): the server receives a hash that proves knowledge of the password.
    public static let digest = Schemes(rawValue: 2)
    /// Both schemes. If the server offers both, Digest is used.
    public static let all: Schemes = [.basic, .digest]
  }

  /// A user name and password, and the schemes that may use them. The default is all schemes.
  case password(user: String, password: String, for: Schemes = .all)
  /// A token for the Bearer scheme (RFC 6750).
  case bearer(String)
}

extension Credential {
  /// The field value that depends on the credential alone, and its scheme: Bearer or Basic.
  ///
  /// Basic uses UTF-8 (RFC 7617 §2.1). The result is `nil` if the schemes do not include Basic. It is also `nil` if the
  /// user name contains a colon, because the server would take the rest of the name for the password.
  var field: (scheme: String, value: String)? {
    switch self {
    case .bearer(let token): return ("bearer", "Bearer \(token)")
    case .password(let user, let password, let schemes):
      guard schemes.contains(.basic), !user.utf8.contains(UInt8(ascii: ":")) else { return nil }
      return ("basic", "Basic " + Data("\(user):\(password)".utf8).base64EncodedString())
    }
  }
}

extension Credential {
  /// The schemes that may use the password; `nil` for a token.
  package var schemes: Schemes? {
    if case .password(_, _, let schemes) = self { schemes } else { nil }
  }
}

extension Credential.Schemes: CustomStringConvertible {
  /// The names of the schemes.
  public var description: String {
    let names = [(Self.digest, "Digest"), (.basic, "Basic")].filter { contains($0.0) }.map(\.1)
    return names.isEmpty ? "no scheme" : names.joined(separator: " and ")
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

  /// An empty mirror, because all parts are secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

import EssentialFoundation

/// What a client shows to be let in.
///
///     let ada = Credential.password(user: "ada", password: password, for: .digest)
///
/// Its descriptions show no secret.
public enum Credential: Hashable, Sendable {
  /// The schemes by which a password may be shown.
  public struct Schemes: OptionSet, Hashable, Sendable {
    /// One bit for each scheme.
    public let rawValue: Int

    /// Schemes from their bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Basic (RFC 7617): the server receives the password itself. Without TLS everything on the way can read it.
    public static let basic = Schemes(rawValue: 1)
    /// Digest (RFC 7616): the server receives a hash that proves the password.
    public static let digest = Schemes(rawValue: 2)
    /// Whatever the server offers, Digest before Basic.
    public static let all: Schemes = [.basic, .digest]
  }

  /// A user's name and password, and the schemes by which the password may be shown. The default is all.
  case password(user: String, password: String, for: Schemes = .all)
  /// A token, for Bearer (RFC 6750).
  case bearer(String)
}

extension Credential {
  /// The value that needs no more than the credential itself, and its scheme.
  ///
  /// Basic is in UTF-8 (RFC 7617 §2.1). There is none for a user's name with a colon, which could not be told from
  /// the password, and none for a password that Basic may not show.
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
  /// The schemes by which a password may be shown; `nil` for a token.
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

  /// No parts: they are secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

import MartletCore
import MartletTransport

/// The sources of credentials for one request, in order.
struct CredentialSources: Sendable {
  /// The next source.
  enum Source {
    /// A known credential.
    case credential(Credential)
    /// The hook. `proposed` is the credential that would be used without it.
    case hook(proposed: Credential?)
  }

  /// The credential of the request itself: `Request.credential`, or else that in its URL.
  private var own: Credential?
  private let store: CredentialStore
  private var hasHook: Bool
  /// The credentials that the server refused, or that do not fit its challenges.
  private var rejected: Set<Credential> = []

  init(own: Credential?, store: CredentialStore, hasHook: Bool) {
    self.own = own
    self.store = store
    self.hasHook = hasHook
  }

  /// Returns the authenticator for the first attempt, before there is a challenge.
  ///
  /// - Parameter known: The authenticator that the same part of the server has accepted before.
  /// - Returns: An authenticator with the credential of the request, or else `known`.
  mutating func preemptive(_ known: PasswordAuthenticator?) -> PasswordAuthenticator? {
    guard let own else { return known }
    self.own = nil
    if let known, known.credential == own { return known }
    let authenticator = PasswordAuthenticator(own)
    authenticator.authenticatePreemptively()
    return authenticator
  }

  /// Returns the next source of an answer to the challenge; `nil` when there are no more.
  mutating func next(for protectionSpace: ProtectionSpace) -> Source? {
    if let own {
      self.own = nil
      return .credential(own)
    }
    let stored = store.credential(for: protectionSpace).flatMap { rejected.contains($0) ? nil : $0 }
    if hasHook { return .hook(proposed: stored) }
    return stored.map { .credential($0) }
  }

  /// Records that a credential cannot be used for this request.
  mutating func reject(_ credential: Credential) { rejected.insert(credential) }

  /// Whether any credential was rejected.
  var hasRejected: Bool { !rejected.isEmpty }

  /// Whether this credential was rejected.
  func isRejected(_ credential: Credential) -> Bool { rejected.contains(credential) }

  /// Returns the schemes of a password that was not used because an offered scheme is not among them.
  ///
  /// - Parameter schemes: The schemes that the server offers, in lower case.
  /// - Returns: The schemes that the password may be used with; `nil` when there is no such password.
  func withheld(from schemes: [String]) -> Credential.Schemes? {
    let known: [String: Credential.Schemes] = ["basic": .basic, "digest": .digest]
    let offered = Credential.Schemes(schemes.compactMap { known[$0] })
    return rejected.lazy.compactMap(\.schemes).first { !offered.isSubset(of: $0) }
  }

  /// Skips the hook from now on, and uses the other sources.
  mutating func skipHook() { hasHook = false }
}

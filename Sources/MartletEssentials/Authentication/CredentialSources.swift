import MartletCore
import MartletTransport

/// Who may know a credential for one request, each in its turn.
struct CredentialSources: Sendable {
  /// The next to turn to.
  enum Source {
    /// This one is known.
    case credential(Credential)
    /// The hook is to be asked; without it, this would be shown.
    case hook(proposed: Credential?)
  }

  /// What the URL says.
  private var user: Credential?
  private let store: CredentialStore
  private var hasHook: Bool
  /// What the server did not want to see.
  private var rejected: Set<Credential> = []

  init(user: Credential?, store: CredentialStore, hasHook: Bool) {
    self.user = user
    self.store = store
    self.hasHook = hasHook
  }

  /// Who answers before the server asks.
  ///
  /// - Parameter known: Who was let in to the same place before.
  /// - Returns: Who the URL says, or else who is known.
  mutating func preemptive(_ known: PasswordAuthenticator?) -> PasswordAuthenticator? {
    guard let user else { return known }
    self.user = nil
    if let known, known.credential == user { return known }
    let authenticator = PasswordAuthenticator(user)
    authenticator.authenticatePreemptively()
    return authenticator
  }

  /// The next source of an answer to the challenge; `nil` when none is left.
  mutating func next(for protectionSpace: ProtectionSpace) -> Source? {
    if let user {
      self.user = nil
      return .credential(user)
    }
    let stored = store.credential(for: protectionSpace).flatMap { rejected.contains($0) ? nil : $0 }
    if hasHook { return .hook(proposed: stored) }
    return stored.map { .credential($0) }
  }

  /// Notes a credential that is of no use here.
  mutating func reject(_ credential: Credential) { rejected.insert(credential) }

  /// Whether anything was found to be of no use.
  var hasRejected: Bool { !rejected.isEmpty }

  /// Whether a credential was found to be of no use.
  func isRejected(_ credential: Credential) -> Bool { rejected.contains(credential) }

  /// The schemes of a password that was withheld from a scheme on offer.
  ///
  /// - Parameter schemes: What the server offers, in lower case.
  /// - Returns: The schemes that the password is for; `nil` when there is no such password.
  func withheld(from schemes: [String]) -> Credential.Schemes? {
    let known: [String: Credential.Schemes] = ["basic": .basic, "digest": .digest]
    let offered = Credential.Schemes(schemes.compactMap { known[$0] })
    return rejected.lazy.compactMap(\.schemes).first { !offered.isSubset(of: $0) }
  }

  /// The hook leaves the answer to the others, and is not asked again.
  mutating func skipHook() { hasHook = false }
}

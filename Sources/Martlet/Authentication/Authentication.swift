import MartletCore

/// How a session lets servers know who is there.
///
/// Copies share what they hold: credentials, tokens, and what servers have asked for so far.
public struct Authentication: Sendable {
  /// What challenges are answered with. The default is an empty store of the session's own.
  public var credentials = CredentialStore()
  /// Tokens, each for its own servers; of several for one server the first counts. The default is none.
  public var tokens: [BearerTokens] = []
  let memory = AuthenticationMemory()

  /// No credentials and no tokens.
  public init() {}

  /// Whether there may be anything to show.
  var isInUse: Bool { !tokens.isEmpty || !memory.isEmpty || !credentials.isEmpty }
}

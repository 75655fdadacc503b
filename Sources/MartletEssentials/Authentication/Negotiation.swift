import HTTPTypes
import MartletCore
import MartletTransport

/// What is known about one request that its server may refuse, and what follows from each response.
struct Negotiation: Sendable {
  /// Who answers for the request as it is sent next.
  enum Signer: Sendable {
    case authenticator(PasswordAuthenticator)
    case tokens(BearerTokens, refused: String?)
  }

  /// What becomes of a response.
  enum Verdict: Sendable {
    /// It is the caller's.
    case over(refusal: MartletError?)
    /// The request is sent once more.
    case again
    /// The hook is to be asked; until it has answered, the body waits.
    case ask(proposed: Credential?)
  }

  private let origin: Origin
  private(set) var signer: Signer?
  private var sources: CredentialSources
  /// How many answers the server has called wrong.
  private(set) var failures = 0
  /// How many answers were sent.
  private var answers = 0
  /// Whether this request has been refused before.
  private var wasAsked = false

  /// Who answered for the request with a credential.
  var authenticator: PasswordAuthenticator? {
    if case .authenticator(let authenticator) = signer { authenticator } else { nil }
  }

  init(_ origin: Origin, _ signer: Signer?, _ sources: CredentialSources) {
    self.origin = origin
    self.signer = signer
    self.sources = sources
  }

  /// What becomes of a refusal.
  ///
  /// - Parameters:
  ///   - head: Its head.
  ///   - field: What the request had said.
  /// - Returns: Whether it is answered, and by whom.
  mutating func judge(_ head: ResponseHead, answering field: String?) -> Verdict {
    if field != nil { answers += 1 }
    defer { wasAsked = true }
    switch signer {
    case .tokens(let tokens, let refused):
      return judge(tokens, head, field, isSecond: refused != nil)
    case .authenticator(let authenticator): return judge(authenticator, head, field)
    case nil:
      if field != nil { failures += 1 }
      return next(head)
    }
  }

  private mutating func judge(
    _ tokens: BearerTokens, _ head: ResponseHead, _ field: String?, isSecond: Bool
  ) -> Verdict {
    let schemes = AuthenticationChallenge.all(in: head.challenges).map(\.scheme)
    guard schemes.isEmpty || schemes.contains("bearer") else {
      // This place of the server wants to see something else.
      signer = nil
      return next(head)
    }
    guard !isSecond else { return .over(refusal: .renewedTokenRefused(by: origin)) }
    let refused = String((field ?? "").dropFirst("Bearer ".count))
    guard tokens.canReplace(refused) else { return .over(refusal: .tokenRefused(by: origin)) }
    signer = .tokens(tokens, refused: refused)
    return .again
  }

  private mutating func judge(
    _ authenticator: PasswordAuthenticator, _ head: ResponseHead, _ field: String?
  ) -> Verdict {
    switch authenticator.hear(head.challenges, to: field, wasAsked: wasAsked) {
    case .again:
      guard answers < PasswordAuthenticator.answerLimit else {
        return .over(refusal: .everyAnswerStale(origin, answers: answers))
      }
      return .again
    case .otherRealm: break
    case .refused:
      failures += 1
      sources.strike(authenticator.credential)
    case .notUnderstood: sources.strike(authenticator.credential)
    }
    signer = nil
    return next(head)
  }

  /// Turns to the next who may know an answer.
  private mutating func next(_ head: ResponseHead) -> Verdict {
    guard answers < PasswordAuthenticator.answerLimit,
      let source = sources.next(for: ProtectionSpace(origin: origin, realm: head.realm))
    else { return .over(refusal: refusal(head)) }
    switch source {
    case .hook(let proposed): return .ask(proposed: proposed)
    case .credential(let credential): return use(credential, head)
    }
  }

  /// Answers with a credential, or turns to the next when it does not fit.
  private mutating func use(_ credential: Credential, _ head: ResponseHead) -> Verdict {
    guard let authenticator = fitting(credential, head) else { return next(head) }
    signer = .authenticator(authenticator)
    return .again
  }

  /// Answers with the hook's credential. One that does not fit ends it: asked again, the hook would know no better.
  mutating func useHook(_ credential: Credential, _ head: ResponseHead) -> Verdict {
    guard !sources.isStruck(credential), let authenticator = fitting(credential, head) else {
      return .over(refusal: refusal(head))
    }
    signer = .authenticator(authenticator)
    return .again
  }

  private mutating func fitting(_ credential: Credential, _ head: ResponseHead)
    -> PasswordAuthenticator?
  {
    let authenticator = PasswordAuthenticator(credential)
    if authenticator.hear(head.challenges, to: nil) == .again { return authenticator }
    sources.strike(credential)
    return nil
  }

  /// Does what would be done without the hook.
  mutating func passOverHook(_ head: ResponseHead) -> Verdict {
    sources.passOverHook()
    return next(head)
  }

  /// Why the server refuses; `nil` when nothing was shown to it.
  func refusal(_ head: ResponseHead) -> MartletError? {
    guard sources.hasStruck else { return nil }
    guard failures == 0 else { return .credentialsRefused(by: origin, realm: head.realm) }
    let challenges = AuthenticationChallenge.all(in: head.challenges)
    let schemes = challenges.map(\.scheme)
    let algorithms = challenges.compactMap(\.unsupportedAlgorithm)
    if let allowed = sources.withheld(from: schemes) {
      return .credentialWithheld(
        from: origin, schemes: schemes, allowed: "\(allowed)", algorithms: algorithms)
    }
    return .challengeNotUnderstood(origin, schemes: schemes, algorithms: algorithms)
  }
}

extension AuthenticationChallenge {
  /// The algorithm that Digest asks for, when it is not supported (RFC 7616 §3.3).
  fileprivate var unsupportedAlgorithm: String? {
    guard scheme == "digest", let name = parameters["algorithm"] else { return nil }
    let hash = name.uppercased().replacing(/-SESS$/, with: "")
    return DigestAlgorithm(rawValue: hash) == nil ? name : nil
  }
}

extension ResponseHead {
  /// The values of all fields with challenges.
  var challenges: [String] { headers[values: .wwwAuthenticate] }

  /// The realm of the challenge that is answered.
  var realm: String? { PasswordAuthenticator.strongest(of: challenges)?.realm }
}

import HTTPTypes
import MartletCore
import MartletTransport

/// The state of the authentication of one request. It decides how to proceed after each 401 response.
struct AuthenticationState: Sendable {
  /// The source of the next `Authorization` field.
  enum Authorizer: Sendable {
    case authenticator(PasswordAuthenticator)
    case tokens(BearerTokenProvider, refused: String?)
  }

  /// How to proceed after a response.
  enum Verdict: Sendable {
    /// The response is returned to the caller.
    case finished(refusal: MartletError?)
    /// The request is sent again.
    case retry
    /// The hook is called. The body is held until the hook has returned.
    case callHook(proposed: Credential?)
  }

  private let origin: Origin
  private(set) var authorizer: Authorizer?
  private var sources: CredentialSources
  /// The number of answers that the server has refused. Tokens do not count.
  private(set) var failures = 0
  /// The number of answers that were sent and got a 401 response.
  private var answers = 0
  /// Whether this request has received a challenge before.
  private var wasChallenged = false

  /// The authenticator of the request, if it uses a credential.
  var authenticator: PasswordAuthenticator? {
    if case .authenticator(let authenticator) = authorizer { authenticator } else { nil }
  }

  init(_ origin: Origin, _ authorizer: Authorizer?, _ sources: CredentialSources) {
    self.origin = origin
    self.authorizer = authorizer
    self.sources = sources
  }

  /// Decides how to proceed after a 401 response.
  ///
  /// - Parameters:
  ///   - head: The head of the response.
  ///   - field: The `Authorization` field of the request.
  /// - Returns: How to proceed.
  mutating func evaluate(_ head: ResponseHead, answering field: String?) -> Verdict {
    if field != nil { answers += 1 }
    defer { wasChallenged = true }
    switch authorizer {
    case .tokens(let tokens, let refused):
      return evaluate(tokens, head, field, isSecond: refused != nil)
    case .authenticator(let authenticator): return evaluate(authenticator, head, field)
    case nil:
      if field != nil { failures += 1 }
      return next(head)
    }
  }

  private mutating func evaluate(
    _ tokens: BearerTokenProvider, _ head: ResponseHead, _ field: String?, isSecond: Bool
  ) -> Verdict {
    let schemes = AuthenticationChallenge.all(in: head.challenges).map(\.scheme)
    guard schemes.isEmpty || schemes.contains("bearer") else {
      // This part of the server does not accept a token.
      authorizer = nil
      return next(head)
    }
    guard !isSecond else { return .finished(refusal: .refreshedTokenRefused(by: origin)) }
    let refused = String((field ?? "").dropFirst("Bearer ".count))
    guard tokens.canReplace(refused) else { return .finished(refusal: .tokenRefused(by: origin)) }
    authorizer = .tokens(tokens, refused: refused)
    return .retry
  }

  private mutating func evaluate(
    _ authenticator: PasswordAuthenticator, _ head: ResponseHead, _ field: String?
  ) -> Verdict {
    switch authenticator.receiveChallenges(head.challenges, to: field, wasChallenged: wasChallenged)
    {
    case .retry:
      guard answers < PasswordAuthenticator.answerLimit else {
        return .finished(refusal: .everyAnswerStale(origin, answers: answers))
      }
      return .retry
    case .otherRealm: break
    case .refused:
      failures += 1
      sources.reject(authenticator.credential)
    case .unsupported: sources.reject(authenticator.credential)
    }
    authorizer = nil
    return next(head)
  }

  /// Proceeds with the next source of an answer.
  private mutating func next(_ head: ResponseHead) -> Verdict {
    guard answers < PasswordAuthenticator.answerLimit,
      let source = sources.next(for: ProtectionSpace(origin: origin, realm: head.realm))
    else { return .finished(refusal: authenticationError(for: head)) }
    switch source {
    case .hook(let proposed): return .callHook(proposed: proposed)
    case .credential(let credential): return use(credential, head)
    }
  }

  /// Answers with a credential, or proceeds with the next source when it does not fit the challenge.
  private mutating func use(_ credential: Credential, _ head: ResponseHead) -> Verdict {
    guard let authenticator = fitting(credential, head) else { return next(head) }
    authorizer = .authenticator(authenticator)
    return .retry
  }

  /// Answers with the hook's credential. If the credential was rejected before, or does not fit the challenge, the
  /// authentication ends, because the hook would return the same credential again.
  mutating func useHook(_ credential: Credential, _ head: ResponseHead) -> Verdict {
    guard !sources.isRejected(credential), let authenticator = fitting(credential, head) else {
      return .finished(refusal: authenticationError(for: head))
    }
    authorizer = .authenticator(authenticator)
    return .retry
  }

  private mutating func fitting(_ credential: Credential, _ head: ResponseHead)
    -> PasswordAuthenticator?
  {
    let authenticator = PasswordAuthenticator(credential)
    if authenticator.receiveChallenges(head.challenges, to: nil) == .retry { return authenticator }
    sources.reject(credential)
    return nil
  }

  /// Proceeds as if there were no hook.
  mutating func skipHook(_ head: ResponseHead) -> Verdict {
    sources.skipHook()
    return next(head)
  }

  /// Returns why the server refuses the request; `nil` when no credential was rejected.
  func authenticationError(for head: ResponseHead) -> MartletError? {
    guard sources.hasRejected else { return nil }
    guard failures == 0 else { return .credentialsRefused(by: origin, realm: head.realm) }
    let challenges = AuthenticationChallenge.all(in: head.challenges)
    let schemes = challenges.map(\.scheme)
    let algorithms = challenges.compactMap(\.unsupportedAlgorithm)
    if let allowed = sources.withheld(from: schemes) {
      return .credentialWithheld(
        from: origin, schemes: schemes, allowed: "\(allowed)", algorithms: algorithms)
    }
    return .unsupportedAuthentication(origin, schemes: schemes, algorithms: algorithms)
  }
}

extension AuthenticationChallenge {
  /// The algorithm of a Digest challenge, when it is not supported (RFC 7616 §3.3).
  fileprivate var unsupportedAlgorithm: String? {
    guard scheme == "digest", let name = parameters["algorithm"] else { return nil }
    let hash = name.uppercased().replacing(/-SESS$/, with: "")
    return DigestAlgorithm(rawValue: hash) == nil ? name : nil
  }
}

extension ResponseHead {
  /// The values of all fields with challenges.
  var challenges: [String] { headers[values: .wwwAuthenticate] }

  /// The realm of the strongest challenge.
  var realm: String? { PasswordAuthenticator.strongest(of: challenges)?.realm }
}

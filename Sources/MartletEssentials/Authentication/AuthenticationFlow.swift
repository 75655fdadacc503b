import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletTransport

/// One request, repeated until the server accepts it or no credential is left.
struct AuthenticationFlow {
  private let original: Request
  /// The generation of the credential store at the start.
  private let generation: Int
  private let origin: Origin
  private let call: Call
  private let cache: AuthenticatorCache
  private let hook: ChallengeHook?
  /// The session's hook that provides the body again; `nil` when there is no such hook.
  private let newBody: (@Sendable () -> RequestBody?)?
  private var state: AuthenticationState
  /// The `Authorization` field that was sent last.
  private var field: String?
  /// The head of the last 401 response.
  private var rejectedHead: ResponseHead?

  /// - Throws: `MartletError` with code `.invalidURL` or `.unsupportedScheme`.
  init(
    _ request: Request, _ authentication: AuthenticationConfiguration, _ context: CallContext
  ) throws(MartletError) {
    var request = request
    var own = request.credential
    if own != nil { request.headers[.authorization] = nil }
    if request.hasUserInfo {
      own = own ?? request.url.credential
      request.url = request.url.withoutUserInfo
    }
    let origin = try request.origin
    call = request.call ?? Call()
    request.call = call
    original = request
    self.origin = origin
    hook = ChallengeHook(context)
    newBody = context.newBody
    cache = authentication.cache
    generation = authentication.credentials.generation
    var sources = CredentialSources(
      own: own, store: authentication.credentials, hasHook: hook != nil)
    let authorizer: AuthenticationState.Authorizer? =
      if request.headers.contains(.authorization) {
        nil
      } else if request.credential == nil,
        let tokens = authentication.tokenProviders.first(where: { $0.applies(to: origin) })
      {
        .tokens(tokens, refused: nil)
      } else {
        sources.preemptive(
          authentication.cache.authenticator(
            for: origin, target: request.target, generation: generation)
        ).map { .authenticator($0) }
      }
    state = AuthenticationState(origin, authorizer, sources)
  }

  /// Returns the request, with the answer to the challenges so far.
  ///
  /// - Throws: `MartletError` with code `.authenticationFailed` when no token can be obtained, `.cancelled`,
  ///   `.bodyNotReplayable`, or `.invalidHeader` when a token or credential contains characters that are not allowed in
  ///   a field; what reading the body throws, if an answer needs its hash.
  mutating func request() async throws -> Request {
    var request = original
    if let rejectedHead { request.body = try body(after: rejectedHead) }
    if let field = try await field(of: state.authorizer, for: request) {
      request.headers[fields: .authorization] = [try .authorization(field)]
    }
    field = request.headers[.authorization]
    return request
  }

  private func field(of authorizer: AuthenticationState.Authorizer?, for request: Request)
    async throws -> String?
  {
    switch authorizer {
    case nil: return nil
    case .authenticator(let authenticator):
      return try await authenticator.authorization(for: request)
    case .tokens(let tokens, let refused):
      return "Bearer " + (try await token(of: tokens, replacing: refused))
    }
  }

  private func token(of tokens: BearerTokenProvider, replacing refused: String?) async throws
    -> String
  {
    if let token = tokens.current, token != refused { return token }
    do {
      return try await call.wait { try await tokens.token(replacing: refused) }
    } catch let failure as BearerTokenProvider.Failure {
      throw MartletError.tokenNotRefreshed(origin, underlying: failure.underlying)
    }
  }

  /// Returns the body for another attempt.
  private func body(after rejectedHead: ResponseHead) throws(MartletError) -> RequestBody {
    if original.body.isEmpty { return original.body }
    if let newBody {
      if let body = newBody() { return body }
    } else if original.body.isReplayable {
      return original.body
    }
    var error = MartletError.bodyNotReplayable
    error.request = original
    error.response = rejectedHead
    throw error
  }

  /// Returns the response for the caller, or `nil` when the request must be sent again.
  ///
  /// - Throws: `MartletError` with code `.cancelled` when the hook or the caller cancels the request; the error with
  ///   which the hook ends the task, which becomes the `underlying` of one with code `.authenticationFailed` if it is
  ///   of another type.
  mutating func response(after response: Response) async throws -> Response? {
    switch try await verdict(on: response.head) {
    case .finished(let refusal):
      guard let refusal else { return response }
      var response = response
      response.authenticationError = refusal
      return response
    case .retry, .callHook:
      await response.body.discard()
      return nil
    }
  }

  /// Decides how to proceed after a response.
  private mutating func verdict(on head: ResponseHead) async throws -> AuthenticationState.Verdict {
    let authorizer = state.authenticator
    guard head.status == .unauthorized else {
      if let authorizer {
        cache.store(authorizer, after: head, to: original, origin, generation: generation)
      }
      return .finished(refusal: nil)
    }
    rejectedHead = head
    let verdict = state.evaluate(head, answering: field)
    if let authorizer, authorizer !== state.authenticator { cache.remove(authorizer, for: origin) }
    guard case .callHook(let proposed) = verdict else { return verdict }
    return try await callHook(head, proposed)
  }

  private mutating func callHook(
    _ head: ResponseHead, _ proposed: Credential?
  ) async throws -> AuthenticationState.Verdict {
    guard let hook else { return .finished(refusal: nil) }
    let challenge = ServerChallenge(
      protectionSpace: ProtectionSpace(origin: origin, realm: head.realm),
      challenges: AuthenticationChallenge.all(in: head.challenges),
      previousFailureCount: state.failures, proposedCredential: proposed, failureResponse: head)
    switch try await call.wait(for: { await hook.disposition(for: challenge) }) {
    case .useCredential(let credential): return state.useHook(credential, head)
    case .performDefaultHandling: return state.skipHook(head)
    case .rejectProtectionSpace: return .finished(refusal: state.authenticationError(for: head))
    case .cancel: throw MartletError.cancelled
    case .fail(let error): throw MartletError.challengeHookFailed(origin, underlying: error)
    }
  }
}

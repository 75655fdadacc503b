import EssentialFoundation
import HTTPTypes
import MartletCore
import MartletTransport

/// One request, repeated until the server accepts it or no credential is left.
struct AuthenticationDialogue {
  private let original: Request
  /// Of what is in the store.
  private let generation: Int
  private let origin: Origin
  private let call: Call
  private let memory: AuthenticationMemory
  private let hook: ChallengeHook?
  /// What gives the body once more, where the session has a hook for that.
  private let newBody: (@Sendable () -> Body?)?
  private var negotiation: Negotiation
  /// What was said last.
  private var field: String?
  /// What was answered with that.
  private var refused: ResponseHead?

  /// - Throws: `MartletError` with code `.invalidURL` or `.unsupportedScheme`.
  init(
    _ request: Request, _ authentication: Authentication, _ context: CallContext
  ) throws(MartletError) {
    var request = request
    let user = request.takeUser()
    let origin = try request.origin
    call = request.call ?? Call()
    request.call = call
    original = request
    self.origin = origin
    hook = ChallengeHook(context)
    newBody = context.newBody
    memory = authentication.memory
    generation = authentication.credentials.generation
    var sources = CredentialSources(
      user: user, store: authentication.credentials, hasHook: hook != nil)
    let signer: Negotiation.Signer? =
      if request.headers.contains(.authorization) {
        nil
      } else if let tokens = authentication.tokens.first(where: { $0.serves(origin) }) {
        .tokens(tokens, refused: nil)
      } else {
        sources.unasked(
          authentication.memory.authenticator(
            for: origin, target: request.target, generation: generation)
        ).map { .authenticator($0) }
      }
    negotiation = Negotiation(origin, signer, sources)
  }

  /// The request, with the answer to what was asked so far.
  ///
  /// - Throws: `MartletError` with code `.authenticationFailed` when there is no token to be had, `.cancelled`, or
  ///   `.bodyNotReplayable`.
  mutating func request() async throws -> Request {
    var request = original
    if let refused { request.body = try body(after: refused) }
    if let field = try await field(of: negotiation.signer, for: request) {
      request.headers[fields: .authorization] = [try .authorization(field)]
    }
    field = request.headers[.authorization]
    return request
  }

  private func field(of signer: Negotiation.Signer?, for request: Request) async throws -> String? {
    switch signer {
    case nil: return nil
    case .authenticator(let authenticator):
      return try await authenticator.authorization(for: request)
    case .tokens(let tokens, let refused):
      return "Bearer " + (try await token(of: tokens, replacing: refused))
    }
  }

  private func token(of tokens: BearerTokens, replacing refused: String?) async throws -> String {
    if let token = tokens.current, token != refused { return token }
    do {
      return try await call.wait { try await tokens.token(replacing: refused) }
    } catch let failure as BearerTokens.Failure {
      throw MartletError.tokenNotRenewed(origin, underlying: failure.underlying)
    }
  }

  /// The body, once more.
  private func body(after refused: ResponseHead) throws(MartletError) -> Body {
    if original.body.isEmpty { return original.body }
    if let newBody {
      if let body = newBody() { return body }
    } else if original.body.isReplayable {
      return original.body
    }
    var error = MartletError.bodyNotReplayable
    error.request = original
    error.response = refused
    throw error
  }

  /// The response for the caller, or `nil` when the request is to be sent once more.
  ///
  /// - Throws: What the hook wants thrown.
  mutating func response(after response: Response) async throws -> Response? {
    switch try await verdict(on: response.head) {
    case .over(let refusal):
      guard let refusal else { return response }
      var response = response
      response.refusal = refusal
      return response
    case .again, .ask:
      await response.body.discard()
      return nil
    }
  }

  /// What becomes of a response.
  private mutating func verdict(on head: ResponseHead) async throws -> Negotiation.Verdict {
    let signer = negotiation.authenticator
    guard head.status == .unauthorized else {
      if let signer {
        memory.note(signer, after: head, to: original, origin, generation: generation)
      }
      return .over(refusal: nil)
    }
    refused = head
    let verdict = negotiation.judge(head, answering: field)
    if let signer, signer !== negotiation.authenticator { memory.forget(signer, for: origin) }
    guard case .ask(let proposed) = verdict else { return verdict }
    return try await ask(head, proposed)
  }

  private mutating func ask(
    _ head: ResponseHead, _ proposed: Credential?
  ) async throws -> Negotiation.Verdict {
    guard let hook else { return .over(refusal: nil) }
    let challenge = ServerChallenge(
      space: ProtectionSpace(origin: origin, realm: head.realm),
      challenges: AuthenticationChallenge.all(in: head.challenges),
      failures: negotiation.failures, proposed: proposed, response: head)
    switch try await call.wait(for: { await hook.ask(challenge) }) {
    case .useCredential(let credential): return negotiation.useHook(credential, head)
    case .performDefaultHandling: return negotiation.passOverHook(head)
    case .rejectProtectionSpace: return .over(refusal: negotiation.refusal(head))
    case .cancel: throw MartletError.cancelled
    case .fail(let error): throw MartletError.challengeHookFailed(origin, underlying: error)
    }
  }
}

extension Call {
  /// Waits for what is no transfer, until the call or the calling task is cancelled.
  ///
  /// - Parameter work: What to wait for; it is cancelled, too.
  /// - Returns: What `work` returns.
  /// - Throws: What `work` throws, or `MartletError` with code `.cancelled` as soon as that happens.
  func wait<Value: Sendable>(
    for work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let (values, continuation) = AsyncThrowingStream<Value, any Error>.makeStream()
    let task = Task {
      do {
        continuation.yield(try await work())
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { _ in task.cancel() }
    defer {
      onCancel(nil)
      continuation.finish()
    }
    let isCancelled = onCancel { continuation.finish(throwing: MartletError.cancelled) }
    guard !isCancelled else { throw MartletError.cancelled }
    for try await value in values { return value }
    throw MartletError.cancelled
  }
}

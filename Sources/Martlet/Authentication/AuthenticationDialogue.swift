import Foundation
import HTTPTypes
import MartletCore
import MartletTransport

/// One request, sent until its server is content or nobody knows an answer any more.
final class AuthenticationDialogue: Sendable {
  private struct State {
    var negotiation: Negotiation
    /// What was said last.
    var field: String?
    /// What was answered with that.
    var refused: ResponseHead?
    /// What becomes of the present response, once that is known.
    var verdict: Negotiation.Verdict?

    /// What becomes of a response, and whose answer was taken, or will not be given again.
    mutating func judge(_ head: ResponseHead) -> (
      Negotiation.Verdict, accepted: PasswordAuthenticator?, dropped: PasswordAuthenticator?
    ) {
      if let verdict { return (verdict, nil, nil) }
      let signer = negotiation.authenticator
      guard head.status == .unauthorized else {
        verdict = .over(refusal: nil)
        return (.over(refusal: nil), signer, nil)
      }
      refused = head
      let judged = negotiation.judge(head, answering: field)
      verdict = judged
      return (judged, nil, signer === negotiation.authenticator ? nil : signer)
    }
  }

  private let original: Request
  /// Of what is in the store.
  private let generation: Int
  private let origin: Origin
  private let exchange: Exchange
  private let memory: AuthenticationMemory
  private let hook: ChallengeHook?
  /// What gives the body once more, where the session has a hook for that.
  private let newBody: (@Sendable () -> Body?)?
  private let state: Locked<State>

  /// - Throws: `MartletError` with code `.invalidURL` or `.unsupportedScheme`.
  init(
    _ request: Request, _ authentication: Authentication, _ context: CallContext
  ) throws(MartletError) {
    var request = request
    let user = request.takeUser()
    let origin = try request.origin
    exchange = request.exchange ?? Exchange()
    request.exchange = exchange
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
    state = Locked(State(negotiation: Negotiation(origin, signer, sources)))
  }

  /// The request, with the answer to what was asked so far.
  ///
  /// - Throws: `MartletError` with code `.authenticationFailed` when there is no token to be had, `.cancelled`, or
  ///   `.bodyNotReplayable`.
  func request() async throws -> Request {
    let (signer, refused) = state.withLock { state in
      state.verdict = nil
      return (state.negotiation.signer, state.refused)
    }
    var request = original
    if let refused { request.body = try body(after: refused) }
    if let field = try await field(of: signer, for: request) {
      request.headers[fields: .authorization] = [try .authorization(field)]
    }
    state.withLock { [field = request.headers[.authorization]] in $0.field = field }
    request.delivery = Delivery { [self] head in
      switch verdict(on: head) {
      case .over: original.delivery.choice(for: head)
      case .again: .discard
      case .ask: .stream
      }
    }
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
      return try await exchange.wait { try await tokens.token(replacing: refused) }
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
  /// - Throws: What the hook wants thrown, or what receiving the body throws.
  func response(after response: Response) async throws -> Response? {
    var response = response
    switch verdict(on: response.head) {
    case .again: return nil
    case .over(let refusal):
      if let refusal { response.refusal = refusal }
      return response
    case .ask(let proposed):
      guard case .over(let refusal) = try await ask(response.head, proposed) else {
        await response.discardBody()
        return nil
      }
      response = try await response.delivered(original.delivery.choice(for: response.head))
      if let refusal { response.refusal = refusal }
      return response
    }
  }

  /// What becomes of a response: judged once, when its head is there.
  private func verdict(on head: ResponseHead) -> Negotiation.Verdict {
    let (verdict, accepted, dropped) = state.withLock { state in state.judge(head) }
    if let accepted {
      memory.note(accepted, after: head, to: original, origin, generation: generation)
    }
    if let dropped { memory.forget(dropped, for: origin) }
    return verdict
  }

  private func ask(
    _ head: ResponseHead, _ proposed: Credential?
  ) async throws -> Negotiation.Verdict {
    guard let hook else { return .over(refusal: nil) }
    let challenge = ServerChallenge(
      space: ProtectionSpace(origin: origin, realm: head.realm),
      challenges: AuthenticationChallenge.all(in: head.challenges),
      failures: state.withLock { $0.negotiation.failures }, proposed: proposed, response: head)
    switch try await exchange.wait(for: { await hook.ask(challenge) }) {
    case .useCredential(let credential):
      return state.withLock { $0.negotiation.useHook(credential, head) }
    case .performDefaultHandling: return state.withLock { $0.negotiation.passOverHook(head) }
    case .rejectProtectionSpace:
      return .over(refusal: state.withLock { $0.negotiation.refusal(head) })
    case .cancel: throw MartletError.cancelled
    case .fail(let error): throw MartletError.challengeHookFailed(origin, underlying: error)
    }
  }
}

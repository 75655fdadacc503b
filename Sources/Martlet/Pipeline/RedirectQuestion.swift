import MartletCore

/// Whether and how the redirect that may answer a request is followed.
///
/// It comes up twice, when the head arrives and when the response is there; a hook is asked the first time
/// only.
struct RedirectQuestion: Sendable {
  private let policy: RedirectPolicy
  private let count: Int
  private let hooks: RedirectHooks?

  init(_ policy: RedirectPolicy, count: Int, _ hooks: RedirectHooks?) {
    self.policy = policy
    self.count = count
    self.hooks = hooks
  }

  /// What tells by its head whether a response is not what the caller gets.
  func isFollowed(after request: Request) -> @Sendable (ResponseHead) -> Bool {
    // Without hooks the policy alone says so, whatever the request.
    guard let hooks else { return { [policy] in policy.follows($0) } }
    return { [self] head in
      guard policy.follows(head) else { return false }
      return hooks.decide(head) { head throws(MartletError) in
        try proposal(for: head, to: request)
      }
    }
  }

  /// The request that follows, or `nil` when the response is the caller's.
  ///
  /// - Throws: What the policy throws, with the request and the response that it is about.
  func answer(for head: ResponseHead, to request: Request) throws(MartletError) -> Request? {
    guard policy.follows(head) else { return nil }
    guard let hooks else { return try proposal(for: head, to: request) }
    return try hooks.decision.get()
  }

  private func proposal(for head: ResponseHead, to request: Request) throws(MartletError)
    -> Request?
  {
    do {
      return try policy.request(
        after: head, to: request, count: count, newBody: hooks?.newBody)
    } catch {
      var error = error
      error.request = request
      error.response = head
      throw error
    }
  }
}

/// What a session's hooks say about a task's redirects.
final class RedirectHooks: Sendable {
  private let task: SessionTask
  private let onRedirect: (@Sendable (SessionTask, ResponseHead, Request) -> Request?)?
  /// What gives a new body to a request that needs its body once more; `nil` leaves that to the body.
  let newBody: (@Sendable () -> Body?)?
  private let last = Locked<Result<Request?, MartletError>>(.success(nil))

  /// - Returns: `nil` when there is no such hook.
  init?(_ context: CallContext) {
    guard let task = context.task, let hooks = context.hooks,
      hooks.onRedirect != nil || hooks.onNeedNewBody != nil
    else { return nil }
    self.task = task
    onRedirect = hooks.onRedirect
    newBody = context.newBody
  }

  /// What was decided last.
  var decision: Result<Request?, MartletError> { last.current }

  /// Decides about a redirect; whether it is followed, if only to fail.
  func decide(
    _ head: ResponseHead, _ propose: (ResponseHead) throws(MartletError) -> Request?
  ) -> Bool {
    let decision: Result<Request?, MartletError>
    do throws(MartletError) {
      let proposed = try propose(head)
      decision = .success(proposed.flatMap { ask(head, $0) })
    } catch {
      decision = .failure(error)
    }
    last.withLock { $0 = decision }
    if case .success(nil) = decision { return false }
    return true
  }

  private func ask(_ head: ResponseHead, _ proposed: Request) -> Request? {
    guard let onRedirect else { return proposed }
    return onRedirect(task, head, proposed)
  }
}

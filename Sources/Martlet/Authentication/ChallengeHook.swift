import MartletCore

/// The challenge hook of the session that a request belongs to, and its task.
struct ChallengeHook: Sendable {
  private let task: SessionTask
  private let hook: @Sendable (SessionTask, ServerChallenge) async -> ChallengeDisposition

  /// - Returns: `nil` when there is no such hook.
  init?(_ request: Request) {
    guard let task = request.sessionTask, let hook = task.hooks?.asked.onChallenge else {
      return nil
    }
    self.task = task
    self.hook = hook
  }

  func ask(_ challenge: ServerChallenge) async -> ChallengeDisposition {
    await hook(task, challenge)
  }
}

extension Request {
  /// The task that the request is of, in a session that has hooks.
  var sessionTask: SessionTask? { exchange?.owner as? SessionTask }

  /// What gives a body that is needed once more, where the session has a hook for that.
  var newBody: (@Sendable () -> Body?)? {
    guard let task = sessionTask, let hook = task.hooks?.asked.onNeedNewBody else { return nil }
    return { hook(task) }
  }
}

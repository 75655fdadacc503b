import MartletCore

/// The challenge hook of the session that a request belongs to, and its task.
struct ChallengeHook: Sendable {
  private let task: SessionTask
  private let hook: @Sendable (SessionTask, ServerChallenge) async -> ChallengeDisposition
  /// Gives a body that is needed once more, where the session has a hook for that.
  let newBody: (@Sendable () -> Body?)?

  /// - Returns: `nil` when there is no such hook.
  init?(_ request: Request) {
    guard let task = request.exchange?.owner as? SessionTask, let asked = task.hooks?.asked,
      let hook = asked.onChallenge
    else { return nil }
    self.task = task
    self.hook = hook
    if let hook = asked.onNeedNewBody {
      newBody = { hook(task) }
    } else {
      newBody = nil
    }
  }

  func ask(_ challenge: ServerChallenge) async -> ChallengeDisposition {
    await hook(task, challenge)
  }
}

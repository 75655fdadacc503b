import MartletCore

/// The challenge hook of the session that a request belongs to, and its task.
struct ChallengeHook: Sendable {
  private let task: SessionTask
  private let hook: @Sendable (SessionTask, ServerChallenge) async -> ChallengeDisposition

  /// - Returns: `nil` when there is no such hook.
  init?(_ context: CallContext) {
    guard let task = context.task, let hook = context.hooks?.onChallenge else { return nil }
    self.task = task
    self.hook = hook
  }

  func ask(_ challenge: ServerChallenge) async -> ChallengeDisposition {
    await hook(task, challenge)
  }
}

public import MartletCore

/// A server that requires authentication, as a session's hook receives it.
public struct ServerChallenge: Sendable {
  /// Which part of which server.
  public var protectionSpace: ProtectionSpace
  /// The ways in, in the server's order; none when it sent nothing that can be read.
  public var challenges: [AuthenticationChallenge]
  /// How many answers to this request the server has refused so far.
  public var previousFailureCount: Int
  /// What the session would answer with on its own, if it would.
  public var proposedCredential: Credential?
  /// The head of the refusal.
  public var failureResponse: ResponseHead
}

/// What a session's hook wants done about a challenge (SES-A3).
public enum ChallengeDisposition: Sendable {
  /// Answer with this, and keep to it for later requests.
  case useCredential(Credential)
  /// Do what would be done without the hook.
  case performDefaultHandling
  /// End the task, with an error of code `.cancelled`.
  case cancel
  /// Answer nothing: the refusal is the response.
  case rejectProtectionSpace
  /// End the task with this error.
  case fail(any Error)
}

/// The challenge hook of the session that a request belongs to, and its task.
struct ChallengeHook: Sendable {
  private let task: SessionTask
  private let hook: @Sendable (SessionTask, ServerChallenge) async -> ChallengeDisposition

  /// - Returns: `nil` when there is no such hook.
  init?(_ context: CallContext) {
    guard let task = context.task, let hook = context.hooks?.onAuthenticationChallenge else {
      return nil
    }
    self.task = task
    self.hook = hook
  }

  func disposition(for challenge: ServerChallenge) async -> ChallengeDisposition {
    await hook(task, challenge)
  }
}

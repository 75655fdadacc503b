public import MartletCore

/// The challenges of a server that requires authentication, as the session's hook receives them.
public struct ServerChallenge: Sendable {
  /// The server and its realm.
  public var protectionSpace: ProtectionSpace
  /// The challenges in the server's order; empty when the server sent none that can be parsed.
  public var challenges: [AuthenticationChallenge]
  /// The number of answers to this request that the server has refused so far. Refused tokens do not count.
  public var previousFailureCount: Int
  /// The credential that the session would use without the hook, if there is one.
  public var proposedCredential: Credential?
  /// The head of the 401 response.
  public var failureResponse: ResponseHead
}

/// The answer of a session's hook to a challenge (SES-A3).
public enum ChallengeDisposition: Sendable {
  /// Answer with this credential. If the server accepts it, later requests to the same part of the server use it, too.
  case useCredential(Credential)
  /// Proceed as if there were no hook.
  case performDefaultHandling
  /// End the task, with an error of code `.cancelled`.
  case cancel
  /// Do not answer: the 401 is the response.
  case rejectProtectionSpace
  /// End the task with this error. An error of another type than `MartletError` becomes the `underlying` of a
  /// `MartletError` with code `.authenticationFailed`.
  case fail(any Error)
}

/// The challenge hook of a session, and the task that it is called for.
struct ChallengeHook: Sendable {
  private let task: SessionTask
  private let hook: @Sendable (SessionTask, ServerChallenge) async -> ChallengeDisposition

  /// - Returns: `nil` when there is no such hook or no task.
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

import MartletCore

/// What a step can know of a call beside its request: it travels with the request from step to step.
public struct CallContext: Sendable {
  /// The session's task that the request belongs to; `nil` in a pipeline without a session.
  public let task: SessionTask?

  /// How many requests of this call have been handed to the transport so far, those after redirects, challenges and
  /// resumptions included. One that the engine repeats counts once; 0 without a session.
  public var attempts: Int { task?.call.attempts ?? 0 }

  /// The hooks that the session had when the task was made, if any was set.
  var hooks: SessionHooks? { task?.hooks?.asked }

  /// What gives a body that is needed once more, where the session has a hook for that.
  var newBody: (@Sendable () -> Body?)? {
    guard let task, let hook = hooks?.onNeedNewBody else { return nil }
    return { hook(task) }
  }
}

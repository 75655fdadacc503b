public import MartletCore

/// One idea on a request's way down and its response's way up: redirects, cookies, retries …
///
/// Most steps are one function:
///
///     struct Stamp: Step {
///       func send(_ request: Request, next: Next) async throws -> Response {
///         var request = request
///         request.headers[.userAgent] = "martlet"
///         return try await next.send(request)
///       }
///     }
///
/// A step that does not pass a response on drains or drops its body.
///
/// ## Without waiting
///
/// Each `await` on the way costs more than most steps do. A step that seldom waits has `prepare` in place of `send`, and
/// `inspect` if it looks at responses; those that stand in a row are then passed in one go:
///
///     struct Stamp: Step {
///       func prepare(_ request: inout Request, _ context: CallContext) -> Preparation {
///         request.headers[.userAgent] = "martlet"
///         return .done
///       }
///     }
///
/// When it has to wait after all, it says so: `prepare` returns `.waiting`, and `send` is called with the request;
/// `inspect` does the same, and `response(after:to:next:)` is called with the response.
public protocol Step: Sendable {
  /// Sends a request through this step and everything below it.
  ///
  /// - Parameters:
  ///   - request: The request, as the steps above have prepared it.
  ///   - next: What is below, and what is known of the call.
  /// - Returns: The response that goes on up. The default returns that of `next`.
  /// - Throws: What `next` throws, or the step's own `MartletError`.
  func send(_ request: Request, next: Next) async throws -> Response

  /// Prepares a request without waiting. It is called once for each request that comes down.
  ///
  /// - Parameters:
  ///   - request: The request, as the steps above have prepared it.
  ///   - context: What is known of the call.
  /// - Returns: What the step has to do with the request from here on. The default returns `.waiting`.
  func prepare(_ request: inout Request, _ context: CallContext) -> Preparation

  /// Looks at the response, where `prepare` has said that it is `.watching`.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - request: The request, as this step has prepared it.
  ///   - context: What is known of the call.
  /// - Returns: What the step has to do with the response. The default returns `.done`.
  func inspect(_ response: Response, to request: Request, _ context: CallContext)
    -> Inspection

  /// Looks at the error that there is in place of a response.
  ///
  /// - Parameters:
  ///   - error: What was thrown below.
  ///   - request: The request, as this step has prepared it.
  ///   - context: What is known of the call.
  /// - Returns: The error that goes on up. The default returns the one it was given.
  func failed(_ error: any Error, after request: Request, _ context: CallContext) -> any Error

  /// What goes on up in place of a response, where `inspect` has said that it is `.waiting`.
  ///
  /// - Parameters:
  ///   - response: The response, the only reference to it: dropping it releases its body.
  ///   - request: The request, as this step has prepared it.
  ///   - next: What is below, and what is known of the call.
  /// - Returns: The response that goes on up. The default returns the one it was given.
  /// - Throws: What `next` throws, or the step's own `MartletError`.
  func response(
    after response: consuming Response, to request: Request, next: Next
  ) async throws -> Response
}

/// What a step has to do with a request that it has prepared.
public enum Preparation: Sendable {
  /// Nothing more: what comes of the request goes past it.
  case done
  /// It looks at the response, or at the error.
  case watching
  /// It has to wait. The step must leave the request unchanged; `send` gets it.
  case waiting
}

/// What a step has to do with a response that it has looked at.
public enum Inspection: Sendable {
  /// Nothing more: the response goes on up as it is.
  case done
  /// It has to wait; `response(after:to:next:)` gets the response.
  case waiting
}

extension Step {
  /// Passes the request on.
  public func send(_ request: Request, next: Next) async throws -> Response {
    try await next.send(request)
  }

  /// Leaves the request to `send`.
  public func prepare(_ request: inout Request, _ context: CallContext) -> Preparation { .waiting }

  /// Has nothing to do with the response.
  public func inspect(_ response: Response, to request: Request, _ context: CallContext)
    -> Inspection
  { .done }

  /// The error itself.
  public func failed(_ error: any Error, after request: Request, _ context: CallContext)
    -> any Error
  { error }

  /// The response itself.
  public func response(
    after response: consuming Response, to request: Request, next: Next
  ) async throws -> Response { response }
}

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

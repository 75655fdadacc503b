public import MartletCore

/// One idea on a request's way down and its response's way up: redirects, cookies, retries …
///
/// Most interceptors are one function:
///
///     struct Stamp: Interceptor {
///       func send(_ request: Request, next: Next) async throws -> Response {
///         var request = request
///         request.headers[.userAgent] = "martlet"
///         return try await next.send(request)
///       }
///     }
///
/// An interceptor that does not pass a response on drains or drops its body.
///
/// ## Without waiting
///
/// Each `await` on the way costs more than most interceptors do. An interceptor that seldom waits has `prepare` in
/// place of `send`, and `inspect` if it looks at responses; those that stand in a row are then passed in one go:
///
///     struct Stamp: Interceptor {
///       func prepare(_ request: inout Request, context: CallContext) -> RequestPreparation {
///         request.headers[.userAgent] = "martlet"
///         return .passThrough
///       }
///     }
///
/// When it has to wait after all, it says so: `prepare` returns `.callSend`, and `send` is called with the request;
/// `inspect` returns `.replaceResponse`, and `response(replacing:to:next:)` is called with the response.
public protocol Interceptor: Sendable {
  /// Sends a request through this interceptor and everything below it.
  ///
  /// - Parameters:
  ///   - request: The request, as the interceptors above have prepared it.
  ///   - next: What is below, and what is known of the call.
  /// - Returns: The response that goes on up. The default returns that of `next`.
  /// - Throws: What `next` throws, or the interceptor's own `MartletError`.
  func send(_ request: Request, next: Next) async throws -> Response

  /// Prepares a request without waiting. It is called once for each request that comes down.
  ///
  /// - Parameters:
  ///   - request: The request, as the interceptors above have prepared it.
  ///   - context: What is known of the call.
  /// - Returns: What the interceptor has to do with the request from here on. The default returns `.callSend`.
  func prepare(_ request: inout Request, context: CallContext) -> RequestPreparation

  /// Looks at the response, where `prepare` has said `.inspectResponse`.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - request: The request, as this interceptor has prepared it.
  ///   - context: What is known of the call.
  /// - Returns: What the interceptor has to do with the response. The default returns `.passThrough`.
  func inspect(_ response: Response, to request: Request, context: CallContext)
    -> ResponseInspection

  /// Looks at the error that there is in place of a response.
  ///
  /// - Parameters:
  ///   - error: What was thrown below.
  ///   - request: The request, as this interceptor has prepared it.
  ///   - context: What is known of the call.
  /// - Returns: The error that goes on up. The default returns the one it was given.
  func mapError(_ error: any Error, after request: Request, context: CallContext) -> any Error

  /// What goes on up in place of a response, where `inspect` has said `.replaceResponse`.
  ///
  /// - Parameters:
  ///   - response: The response, the only reference to it: dropping it releases its body.
  ///   - request: The request, as this interceptor has prepared it.
  ///   - next: What is below, and what is known of the call.
  /// - Returns: The response that goes on up. The default returns the one it was given.
  /// - Throws: What `next` throws, or the interceptor's own `MartletError`.
  func response(
    replacing response: consuming Response, to request: Request, next: Next
  ) async throws -> Response
}

/// What an interceptor has to do with a request that it has prepared.
public enum RequestPreparation: Sendable {
  /// Nothing more: what comes of the request goes past it.
  case passThrough
  /// It looks at the response, or at the error.
  case inspectResponse
  /// It has to wait. The interceptor must leave the request unchanged; `send` gets it.
  case callSend
}

/// What an interceptor has to do with a response that it has looked at.
public enum ResponseInspection: Sendable {
  /// Nothing more: the response goes on up as it is.
  case passThrough
  /// It has to wait; `response(replacing:to:next:)` gets the response.
  case replaceResponse
}

extension Interceptor {
  /// Passes the request on.
  public func send(_ request: Request, next: Next) async throws -> Response {
    try await next.send(request)
  }

  /// Leaves the request to `send`.
  public func prepare(_ request: inout Request, context: CallContext) -> RequestPreparation {
    .callSend
  }

  /// Has nothing to do with the response.
  public func inspect(_ response: Response, to request: Request, context: CallContext)
    -> ResponseInspection
  { .passThrough }

  /// The error itself.
  public func mapError(_ error: any Error, after request: Request, context: CallContext)
    -> any Error
  { error }

  /// The response itself.
  public func response(
    replacing response: consuming Response, to request: Request, next: Next
  ) async throws -> Response { response }
}

/// What an interceptor can know of a call beside its request: it travels with the request from interceptor to
/// interceptor.
public struct CallContext: Sendable {
  /// The session's task that the request belongs to; `nil` in a pipeline without a session.
  public let task: SessionTask?

  /// How many requests of this call have been handed to the transport so far, those after redirects, challenges and
  /// resumptions included. One that the engine repeats counts once; 0 without a session.
  public var attemptCount: Int { task?.call.attemptCount ?? 0 }

  /// The hooks that the session had when the task was made, if any was set.
  var hooks: SessionHooks? { task?.hooks?.sessionHooks }

  /// What gives a body that is needed once more, where the session has a hook for that.
  var newBody: (@Sendable () -> RequestBody?)? {
    guard let task, let hook = hooks?.onNeedNewBody else { return nil }
    return { hook(task) }
  }
}

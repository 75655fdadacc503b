public import MartletCore

/// Handles one aspect of requests and their responses: redirects, cookies, retries …
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
/// An interceptor that does not pass a response on must read its body to the end, or release it.
///
/// ## Without waiting
///
/// Each `await` costs more than the work of most interceptors. An interceptor that seldom waits implements `prepare` in
/// place of `send`, and `inspect` if it inspects responses. Consecutive interceptors of this kind run without an
/// `await` between them:
///
///     struct Stamp: Interceptor {
///       func prepare(_ request: inout Request, context: CallContext) -> RequestPreparation {
///         request.headers[.userAgent] = "martlet"
///         return .passThrough
///       }
///     }
///
/// Such an interceptor can still wait. When `prepare` returns `.callSend`, `send` is called with the request. When
/// `inspect` returns `.replaceResponse`, `response(replacing:to:next:)` is called with the response.
public protocol Interceptor: Sendable {
  /// Sends a request through this interceptor and everything below it.
  ///
  /// - Parameters:
  ///   - request: The request, as the interceptors above have prepared it.
  ///   - next: The interceptors and the transport below, and the context of the call.
  /// - Returns: The response for the interceptor above. The default returns the response of `next`.
  /// - Throws: What `next` throws, or the interceptor's own `MartletError`.
  func send(_ request: Request, next: Next) async throws -> Response

  /// Prepares a request without waiting. It is called once for each request that is passed to the interceptor.
  ///
  /// - Parameters:
  ///   - request: The request, as the interceptors above have prepared it.
  ///   - context: The context of the call.
  /// - Returns: What the interceptor still has to do. The default returns `.callSend`.
  func prepare(_ request: inout Request, context: CallContext) -> RequestPreparation

  /// Inspects the response, if `prepare` has returned `.inspectResponse`.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - request: The request, as this interceptor has prepared it.
  ///   - context: The context of the call.
  /// - Returns: What the interceptor still has to do. The default returns `.passThrough`.
  func inspect(_ response: Response, to request: Request, context: CallContext)
    -> ResponseInspection

  /// Inspects the error that was thrown in place of a response, if `prepare` has returned `.inspectResponse`.
  ///
  /// - Parameters:
  ///   - error: The error that was thrown below.
  ///   - request: The request, as this interceptor has prepared it.
  ///   - context: The context of the call.
  /// - Returns: The error for the interceptor above. The default returns `error`.
  func mapError(_ error: any Error, after request: Request, context: CallContext) -> any Error

  /// Returns the response that replaces the inspected one, if `inspect` has returned `.replaceResponse`.
  ///
  /// - Parameters:
  ///   - response: The response. This is the only reference to it, so that dropping it releases its body.
  ///   - request: The request, as this interceptor has prepared it.
  ///   - next: The interceptors and the transport below, and the context of the call.
  /// - Returns: The response for the interceptor above. The default returns `response`.
  /// - Throws: What `next` throws, or the interceptor's own `MartletError`.
  func response(
    replacing response: consuming Response, to request: Request, next: Next
  ) async throws -> Response
}

/// What an interceptor still has to do after it has prepared a request.
public enum RequestPreparation: Sendable {
  /// Nothing: it does not receive the response or the error.
  case passThrough
  /// It inspects the response or the error.
  case inspectResponse
  /// It has to wait: `send` is called with the request, which `prepare` must not have changed.
  case callSend
}

/// What an interceptor still has to do after it has inspected a response.
public enum ResponseInspection: Sendable {
  /// Nothing: the response is passed on unchanged.
  case passThrough
  /// It has to wait: `response(replacing:to:next:)` is called with the response.
  case replaceResponse
}

extension Interceptor {
  /// Passes the request on.
  public func send(_ request: Request, next: Next) async throws -> Response {
    try await next.send(request)
  }

  /// Returns `.callSend`.
  public func prepare(_ request: inout Request, context: CallContext) -> RequestPreparation {
    .callSend
  }

  /// Returns `.passThrough`.
  public func inspect(_ response: Response, to request: Request, context: CallContext)
    -> ResponseInspection
  { .passThrough }

  /// Returns `error`.
  public func mapError(_ error: any Error, after request: Request, context: CallContext)
    -> any Error
  { error }

  /// Returns `response`.
  public func response(
    replacing response: consuming Response, to request: Request, next: Next
  ) async throws -> Response { response }
}

/// The context of a call, which is passed from interceptor to interceptor together with the request.
public struct CallContext: Sendable {
  /// The session's task that the request belongs to; `nil` in a pipeline without a session.
  public let task: SessionTask?

  /// How many requests of this call have been passed to the transport so far, including those after redirects,
  /// challenges and resumptions. A request that the engine repeats counts once. Without a session, or with a custom
  /// transport that does not report `attemptStarted`, the count is 0.
  public var attemptCount: Int { task?.call.attemptCount ?? 0 }

  /// The hooks that the session had when the task was made, if any was set.
  var hooks: SessionHooks? { task?.hooks?.sessionHooks }

  /// Provides the body when it is needed again, if the session's hook `onNeedNewBody` is set.
  var newBody: (@Sendable () -> RequestBody?)? {
    guard let task, let hook = hooks?.onNeedNewBody else { return nil }
    return { hook(task) }
  }
}

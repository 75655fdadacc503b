/// Whatever can turn a request into a response.
///
/// One shape runs all the way down: a session, the pipeline, each step, the engine, the in-process
/// transport of the test kit and a transport of your own all speak it.
public protocol Transport: Sendable {
  /// Sends a request and returns its response.
  ///
  /// The request's `delivery` says whether the body is already complete or still to be pulled.
  /// Cancelling the calling task ends the exchange.
  ///
  /// - Throws: `MartletError`.
  func send(_ request: Request) async throws -> Response
}

/// One idea on a request's way down and its response's way up: redirects, cookies, retries …
///
///     struct Stamp: Step {
///       func send(_ request: Request, next: any Transport) async throws -> Response {
///         var request = request
///         request.headers[.userAgent] = "martlet"
///         return try await next.send(request)
///       }
///     }
///
/// A step that does not pass a response on drains or drops its body.
public protocol Step: Sendable {
  /// Sends a request through this step and everything below it.
  ///
  /// - Throws: What `next` throws, or the step's own `MartletError`.
  func send(_ request: Request, next: any Transport) async throws -> Response
}

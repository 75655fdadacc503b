/// Sends requests and returns their responses.
///
/// The pipeline, the engine, the in-process transport of the test kit and custom transports conform to it. Sessions
/// have a `send` function of the same form. The `send` function of an interceptor also has the parameter `next`.
public protocol Transport: Sendable {
  /// Sends a request and returns its response.
  ///
  /// Return the body as bytes or as a stream. A session's pipeline delivers it according to the request's `delivery`. A
  /// transport that is used without a session calls `response.delivered(for:)`. Cancelling the calling task ends the
  /// call.
  ///
  /// - Throws: `MartletError`.
  func send(_ request: Request) async throws -> Response
}

/// Whatever can turn a request into a response.
///
/// One shape runs all the way down: a session, the pipeline, each interceptor, the engine, the in-process
/// transport of the test kit and a transport of your own all speak it.
public protocol Transport: Sendable {
  /// Sends a request and returns its response.
  ///
  /// A session's pipeline puts the body where the request's `delivery` says: return it as bytes or as a stream. A transport
  /// that is used alone calls `response.delivered(for:)`.
  /// Cancelling the calling task ends the call.
  ///
  /// - Throws: `MartletError`.
  func send(_ request: Request) async throws -> Response
}

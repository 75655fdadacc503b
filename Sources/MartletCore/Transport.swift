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

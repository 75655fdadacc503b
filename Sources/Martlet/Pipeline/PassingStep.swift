import MartletCore

/// A step that most exchanges pass by: it prepares the request, looks at the response, and seldom has to wait.
///
/// Those that stand in a row are passed in one go (``Passage``). To wait at each of them, on the way down and on
/// the way up, would take longer than all that they do.
protocol PassingStep: Step {
  /// Prepares a request.
  ///
  /// - Returns: Whether that will do. If not, the request is as it was, and `send` takes it from here.
  func prepare(_ request: inout Request) -> Bool

  /// Looks at how a request that was prepared has ended.
  ///
  /// - Parameters:
  ///   - result: The response, or what was thrown.
  ///   - request: The request as it was before any step in the row had prepared it.
  /// - Returns: Whether that goes on up as it is; always, when it is an error.
  func passes(_ result: Result<Response, any Error>, to request: Request) -> Bool

  /// What goes on up in place of a response that does not pass.
  ///
  /// - Parameters:
  ///   - response: The response; nobody else has it, so that it is gone when the step lets go of it.
  ///   - request: The request that was answered, prepared anew by the steps above and not by this one.
  ///   - next: What is below.
  /// - Returns: The response that goes on up.
  /// - Throws: What `next` throws, or the step's own error.
  func response(
    after response: consuming Response, to request: Request, next: any Transport
  ) async throws -> Response
}

extension PassingStep {
  /// The response, for a step that lets each of them pass.
  func response(
    after response: consuming Response, to request: Request, next: any Transport
  ) async throws -> Response { response }
}

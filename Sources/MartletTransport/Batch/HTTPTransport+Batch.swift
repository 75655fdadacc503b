public import MartletCore

extension HTTPTransport {
  /// Sends many requests, so many at once, on the engine's own thread.
  ///
  /// This is the cheapest way to send many: nothing changes threads but the outcomes, and those many
  /// at a time.
  ///
  /// - Parameters:
  ///   - requests: The requests; taken one by one, so that they can be made as they are needed.
  ///   - maximumConcurrent: How many are under way at once, at least 1. The default is 64.
  /// - Returns: The outcomes in order of completion; `inOrder` has them in order of request.
  public func send(
    _ requests: some Sequence<Request> & Sendable, maximumConcurrent: Int = 64
  ) -> ResponseBatch {
    ResponseBatch(requests, limit: maximumConcurrent, executor: executor, send: send)
  }
}

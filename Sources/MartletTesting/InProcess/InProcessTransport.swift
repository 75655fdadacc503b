public import MartletCore

/// Answers requests in this process, without any network.
///
///     let transport = InProcessTransport { request in .text("Hello!", to: request) }
///
/// A request behaves as it does with the engine: its `delivery` decides how the body is delivered, and its `call`
/// reports each step and can suspend, resume and cancel the request. Cancelling the task ends the call. Time-outs have
/// no effect.
public struct InProcessTransport: Transport {
  /// Answers a request.
  public typealias Handler = @Sendable (Request) async throws -> Response

  private let handler: Handler

  /// A transport that answers with `handler`.
  ///
  /// - Parameter handler: Returns a response with any kind of body. `send(_:)` throws the errors of the handler: a
  ///   `MartletError` with the same code, a `CancellationError` as a `MartletError` with code `.cancelled`, and any
  ///   other error as a `MartletError` with code `.connectionFailed`. If the error has no `request`, it is set.
  public init(_ handler: @escaping Handler) {
    self.handler = handler
  }

  /// Sends a request to the handler.
  ///
  /// - Throws: `MartletError`: the handler's error, an error of delivering the body, an error for a part of the body
  ///   that was not requested, or an error with code `.cancelled`.
  public func send(_ request: Request) async throws -> Response {
    let exchange = InProcessExchange(request)
    return try await exchange.run { [handler] in
      let start = ContinuousClock.now
      exchange.report(.sending(request, over: nil, isConnectionReused: false))
      var response = try await handler(request)
      try await exchange.waitWhileSuspended()
      exchange.report(.requestSent)
      exchange.report(.responseReceived(response.head))
      response.metrics.totalDuration = start.duration(to: .now)
      try response.head.checkIsWhole(for: request)
      return try await BodyDelivery(response, exchange: exchange)
        .deliver(request.delivery.immediateHandling(for: response.head) ?? .stream)
    }
  }

  static func martletError(_ error: any Error) -> MartletError {
    switch error {
    case let error as MartletError: error
    case is CancellationError: .cancelled
    default:
      MartletError(.connectionFailed, "The in-process handler failed: \(error).", underlying: error)
    }
  }
}

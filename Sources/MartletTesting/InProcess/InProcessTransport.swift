public import MartletCore

/// Answers requests in this process, without any network.
///
///     let transport = InProcessTransport { request in
///       Response(head: ResponseHead(status: .ok), url: request.url)
///     }
///
/// What a request asks for is done as the engine would do it: its `delivery` decides what becomes of
/// the body, its `call` reports every step and can suspend, resume and cancel it, and cancelling the
/// task ends the call. Time-outs are the engine's own and mean nothing here.
public struct InProcessTransport: Transport {
  /// Answers a request.
  public typealias Handler = @Sendable (Request) async throws -> Response

  private let handler: Handler

  /// A transport that answers with `handler`.
  ///
  /// - Parameter handler: May answer with any kind of body. What it throws is thrown to the caller that sent
  ///   the request, a `CancellationError` as `MartletError` with code `.cancelled`.
  public init(_ handler: @escaping Handler) {
    self.handler = handler
  }

  /// Sends a request to the handler.
  ///
  /// - Throws: `MartletError`: what the handler throws, or `.cancelled`.
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
      return try await BodyDelivering(response, exchange: exchange)
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

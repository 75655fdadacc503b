public import MartletCore

/// Sends a request a second time when its response does not arrive soon, as a ``/MartletCore/HedgePolicy`` decides.
///
/// A session with such a policy has one below ``RetryInterceptor``.
public struct HedgeInterceptor: Interceptor {
  /// What is known about one server.
  private struct Server {
    var latencies = RecentLatencies()
    var balance = RetryBalance()
  }

  /// What happens first.
  private enum Happening: Sendable {
    case response(Response)
    case failure(any Error)
    case delayIsOver
  }

  private let policy: HedgePolicy
  private let clock: ResilienceClock
  private let servers = OriginStates { Server() }

  /// An interceptor that sends slow requests a second time.
  ///
  /// - Parameters:
  ///   - policy: When a request is sent a second time.
  ///   - clock: The time, which a test can replace. The default is that of the system.
  public init(_ policy: HedgePolicy, clock: ResilienceClock = ResilienceClock()) {
    self.policy = policy
    self.clock = clock
  }

  /// Returns `.callSend` for a request that may be sent a second time.
  public func prepare(_ request: inout Request, context: CallContext) -> RequestPreparation {
    let isCollected = request.delivery.fixedHandling?.isBuffer ?? false
    let mayBeSentTwice = request.isRepeatable && request.body.isReplayable && isCollected
    return mayBeSentTwice && context.task?.download == nil ? .callSend : .passThrough
  }

  /// Sends the request, and a second one if the first takes too long.
  ///
  /// - Returns: The response that arrives first.
  /// - Throws: What `next` throws for the request that fails last.
  public func send(_ request: Request, next: Next) async throws -> Response {
    let origin = try request.origin
    let delay = servers.update(origin) { server in
      server.balance.earn(policy.budget)
      return server.latencies.delay(policy)
    }
    let elapsed = clock.stopwatch()
    let response =
      if let delay {
        try await race(request, next, after: delay)
      } else {
        try await next.send(request)
      }
    servers.update(origin) { $0.latencies.add(elapsed()) }
    return response
  }

  private func race(_ request: Request, _ next: Next, after delay: Duration) async throws
    -> Response
  {
    let call = request.call ?? Call()
    var request = request
    request.call = call
    return try await call.wait { [self, request] in
      try await withThrowingTaskGroup(of: Happening.self) { group in
        defer { group.cancelAll() }
        group.addTask { await happening { try await next.send(request) } }
        group.addTask {
          try? await clock.sleep(delay)
          return .delayIsOver
        }
        return try await first(of: &group) { group in
          guard let second = second(request, call, after: delay) else { return false }
          group.addTask { await happening { try await next.send(second) } }
          return true
        }
      }
    }
  }

  /// Returns the first response.
  ///
  /// - Parameters:
  ///   - group: The first request, and the delay.
  ///   - addSecond: Sends the second request, and returns whether it has.
  /// - Returns: The response.
  /// - Throws: The error of the request that fails last.
  private func first(
    of group: inout ThrowingTaskGroup<Happening, any Error>,
    _ addSecond: (inout ThrowingTaskGroup<Happening, any Error>) -> Bool
  ) async throws -> Response {
    var underWay = 1
    while let happening = try await group.next() {
      switch happening {
      case .response(let response): return response
      case .failure(let error):
        underWay -= 1
        if underWay == 0 { throw error }
      case .delayIsOver:
        guard !Task.isCancelled else { continue }
        if addSecond(&group) { underWay += 1 }
      }
    }
    throw MartletError.cancelled
  }

  /// Returns the second request, with a call of its own; `nil` if there is none.
  private func second(_ request: Request, _ call: Call, after delay: Duration) -> Request? {
    guard !call.isSuspended, let origin = try? request.origin,
      servers.update(origin, { $0.balance.spend(policy.budget) })
    else { return nil }
    call.report(.hedged(after: delay))
    var second = request
    second.call = Call(priority: call.priority)
    return second
  }

  private func happening(_ send: () async throws -> Response) async -> Happening {
    do {
      return .response(try await send())
    } catch {
      return .failure(error)
    }
  }
}

import EssentialFoundation
public import MartletCore
import NIOCore

/// Sends a request a second time when its response does not arrive soon, as a ``/MartletCore/HedgePolicy`` decides.
///
/// A session with such a policy has one below ``RetryInterceptor``. The events of the second request are those of the call, too;
/// its progress is not.
public struct HedgeInterceptor: Interceptor {
  /// What is known about one server.
  private struct Server {
    var latencies = RecentLatencies()
    var balance = RequestBalance()
  }

  /// What happens during a race.
  private enum RaceEvent: Sendable {
    case outcome(Result<Response, any Error>)
    case delayIsOver
  }

  private let policy: HedgePolicy
  private let clock: ResilienceClock
  private let servers = OriginStates { Server() }
  /// Which responses do not win while the other request is under way.
  private let failures = RetryPolicy()

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
    let delay = servers.update(try request.origin) { server in
      server.balance.earn(policy.budget)
      return server.latencies.delay(policy)
    }
    guard let delay else { return try await timed(request, next) }
    var request = request
    let call = request.call ?? Call(priority: request.options.priority)
    request.call = call
    return try await call.wait { [self, request] in
      try await race(request, call, next, after: delay)
    }
  }

  // MARK: The race

  private func race(_ request: Request, _ call: Call, _ next: Next, after delay: Duration)
    async throws -> Response
  {
    let (events, continuation) = AsyncStream.makeStream(of: RaceEvent.self)
    // The loser is cancelled, and not waited for.
    var tasks = [
      Task { _ = continuation.yield(.outcome(await outcome(of: request, next))) },
      Task {
        try? await clock.sleep(delay)
        continuation.yield(.delayIsOver)
      },
    ]
    defer { for task in tasks { task.cancel() } }
    var (underWay, failed): (Int, Result<Response, any Error>?) = (1, nil)
    for await event in events {
      guard case .outcome(let outcome) = event else {
        guard let second = second(request, call, after: delay) else { continue }
        underWay += 1
        tasks.append(Task { _ = continuation.yield(.outcome(await outcome(of: second, next))) })
        continue
      }
      if case .success(let response) = outcome, !failures.applies(to: .status(response.status)) {
        return response
      }
      underWay -= 1
      if underWay == 0 { return try response(of: outcome, after: failed) }
      failed = outcome
    }
    throw MartletError.cancelled
  }

  /// Returns the response of a race in which both have failed. An error is safe to retry only if neither was processed.
  private func response(
    of last: Result<Response, any Error>, after first: Result<Response, any Error>?
  ) throws -> Response {
    switch (first, last) {
    case (.success(let response)?, .failure): return response
    case (.failure(let other)?, .failure(let error)):
      guard var failure = error as? MartletError else { throw error }
      failure.isSafeToRetry =
        failure.isSafeToRetry && (other as? MartletError)?.isSafeToRetry ?? false
      throw failure
    default: return try last.get()
    }
  }

  /// Returns the second request, with a call of its own that ends with the first; `nil` if there is none.
  private func second(_ request: Request, _ call: Call, after delay: Duration) -> Request? {
    guard !Task.isCancelled, !call.isSuspended, let origin = try? request.origin,
      servers.update(origin, { $0.balance.spend(policy.budget) })
    else { return nil }
    call.report(.hedged(after: delay))
    var second = request
    let own = Call(secondTo: call)
    _ = own.recordStart(at: call.recordStart(at: .now()))
    second.call = own
    return second
  }

  private func outcome(of request: Request, _ next: Next) async -> Result<Response, any Error> {
    await Result { try await timed(request, next) }
  }

  /// Sends the request, and notes the latency of a response of the server.
  private func timed(_ request: Request, _ next: Next) async throws -> Response {
    let elapsed = clock.stopwatch()
    let response = try await next.send(request)
    let latency = elapsed()
    if !response.isFromCache, !failures.applies(to: .status(response.status)) {
      servers.update(try request.origin) { $0.latencies.add(latency) }
    }
    return response
  }
}

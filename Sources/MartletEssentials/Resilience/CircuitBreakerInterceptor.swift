public import MartletCore

/// Refuses requests to servers that fail, as a ``/MartletCore/CircuitBreakerPolicy`` decides.
///
/// A session with such a policy has one below its cache: it sees each exchange, and stored responses are used while requests
/// are refused. It sees the head of each response, and its body if that is collected at once.
public struct CircuitBreakerInterceptor: Interceptor {
  private let policy: CircuitBreakerPolicy
  private let circuits = OriginStates { Circuit() }
  private let now: @Sendable () -> Duration

  /// An interceptor that refuses requests to servers that fail.
  ///
  /// - Parameters:
  ///   - policy: When requests are refused.
  ///   - clock: The time, which a test can replace. The default is that of the system.
  public init(_ policy: CircuitBreakerPolicy, clock: ResilienceClock = ResilienceClock()) {
    self.policy = policy
    now = clock.stopwatch()
  }

  /// Sends the request, unless the circuit of its server is open.
  ///
  /// - Throws: What `next` throws; `MartletError` with code `.circuitOpen` for a request that is refused.
  public func send(_ request: Request, next: Next) async throws -> Response {
    let (origin, time) = (try request.origin, now())
    let admission = circuits.update(origin) { $0.admit(at: time, policy) }
    if case .refuse(let wait) = admission {
      let refusal = MartletError.circuitOpen(origin, for: wait)
      request.call?.report(.refused(refusal))
      throw refusal
    }
    do {
      let response = try await next.send(request)
      record(.status(response.status), admission, origin, request.call)
      return response
    } catch {
      let reason = (error as? MartletError).map(FailedAttempt.Reason.error)
      record(reason, admission, origin, request.call)
      throw error
    }
  }

  private func record(
    _ reason: FailedAttempt.Reason?, _ admission: Circuit.Admission, _ origin: Origin, _ call: Call?
  ) {
    let (isFailure, time) = (reason.flatMap(policy.isFailure), now())
    let change = circuits.update(origin) { circuit -> Circuit.Change? in
      if let isFailure {
        return circuit.record(isFailure: isFailure, of: admission, at: time, policy)
      }
      circuit.forget(admission)
      return nil
    }
    switch change {
    case .opened(let duration, let failures, let requests):
      call?.report(
        .circuitOpened(origin, for: duration, failures: failures, requests: requests))
    case .closed: call?.report(.circuitClosed(origin))
    case nil: break
    }
  }
}

extension MartletError {
  fileprivate static func circuitOpen(_ origin: Origin, for wait: Duration) -> MartletError {
    let time = wait > .zero ? "for \(wait.text)" : "until a probe has succeeded"
    var error = MartletError(
      .circuitOpen,
      "The circuit of \(origin) is open \(time), because too many requests have failed: try again later.",
      phase: .connect)
    error.isSafeToRetry = true
    return error
  }
}

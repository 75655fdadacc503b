import EssentialFoundation
import HTTPTypes
public import MartletCore

/// Retries a request after a failure, as a ``/MartletCore/RetryPolicy`` decides.
///
/// A session has one. It sees one response for each attempt of a call, after redirects and challenges. A download
/// continues its partial file, and a stream continues in the middle of its body.
public struct RetryInterceptor: Interceptor {
  private let policy: RetryPolicy
  private let isEnabled: Bool
  private let timeouts: Timeouts
  private let clock: ResilienceClock
  private let balances = OriginStates { RequestBalance() }

  /// An interceptor that retries failed requests.
  ///
  /// - Parameters:
  ///   - policy: The policy of requests that have none of their own.
  ///   - timeouts: The time-outs of requests that have none of their own. `total` limits all attempts together.
  ///   - clock: The time, which a test can replace. The default is that of the system.
  public init(
    _ policy: RetryPolicy, timeouts: Timeouts = Timeouts(),
    clock: ResilienceClock = ResilienceClock()
  ) {
    self.policy = policy
    isEnabled = policy.isEnabled
    self.timeouts = timeouts
    self.clock = clock
  }

  /// Returns `.callSend` for a request that may be retried.
  public func prepare(_ request: inout Request, context: CallContext) -> RequestPreparation {
    // Nearly every request is without a policy of its own.
    let mayRetry = request.hasExtras ? (request.retryPolicy ?? policy).isEnabled : isEnabled
    return mayRetry ? .callSend : .passThrough
  }

  /// Sends the request until the policy accepts the outcome.
  ///
  /// - Throws: What the last attempt throws, with the attempts before it as its `failedAttempts`; `MartletError` with code
  ///   `.cancelled` during a pause.
  public func send(_ request: Request, next: Next) async throws -> Response {
    let policy = request.retryPolicy ?? policy
    let download = next.context.task?.download
    var request = request
    // All attempts belong to the same call, and share its total time-out.
    let call = request.call ?? Call()
    request.call = call
    _ = call.remainingTime(request.timeouts(default: timeouts))
    if policy.addsIdempotencyKey { request.addIdempotencyKey() }
    var retries = Retries(
      policy, request, received: download?.received ?? 0, timeouts: timeouts, balances, clock)
    while true {
      switch await attempt(request, policy, next, retries) {
      case .success(let response): return response
      case .failure(let failure):
        guard let cause = failure.cause, policy.applies(to: cause.reason) else {
          return try result(of: failure, retries)
        }
        let body = newBody(for: request, next.context)
        let pause = retries.pause(
          after: cause, isReplayable: body != nil, received: download?.received ?? 0)
        guard let pause, let body else { return try result(of: failure, retries) }
        if case .status(let response) = failure { await response.body.discard() }
        do {
          try await retries.wait(pause)
        } catch {
          throw download?.failure(error) ?? error
        }
        request.body = body
      }
    }
  }

  // MARK: An attempt

  /// How an attempt fails.
  private enum Failure: Error {
    /// With a response that the caller may not receive.
    case status(Response)
    case error(any Error)

    var cause: AttemptFailure? {
      switch self {
      case .status(let response): AttemptFailure(response)
      case .error(let error): AttemptFailure(error)
      }
    }
  }

  private func attempt(
    _ request: Request, _ policy: RetryPolicy, _ next: Next, _ retries: Retries
  ) async -> Result<Response, Failure> {
    do {
      let response = try await next.send(request)
      // A stored response stays what it is.
      let isFailure = policy.applies(to: .status(response.status)) && !response.isFromCache
      guard !isFailure else { return .failure(.status(response)) }
      return .success(try await delivered(response, request, next, retries))
    } catch {
      return .failure(.error(error))
    }
  }

  /// Returns the response, or throws the error, of an attempt that no other follows.
  private func result(of failure: Failure, _ retries: Retries) throws -> Response {
    switch failure {
    case .error(let error): throw retries.completed(error)
    case .status(var response):
      if !retries.failures.isEmpty { response.failedAttempts = retries.failures }
      return response
    }
  }

  /// Delivers a body that goes into memory or a file, so that the request is retried if that fails. A stream that can be
  /// continued is continued when it breaks off. A writer cannot begin again: its body is delivered above.
  private func delivered(
    _ response: Response, _ request: Request, _ next: Next, _ retries: Retries
  ) async throws -> Response {
    var response = response
    if !retries.failures.isEmpty { response.failedAttempts = retries.failures }
    guard response.body.kind == .streamed, !request.delivery.isUndecided else { return response }
    switch request.delivery.handling(for: response.head) {
    case .stream:
      let resuming = ResumingBody(response, to: request, next, retries)
      if let resuming { response.body = ResponseBody(stream: resuming, of: request.call) }
      return response
    case .buffer, .file, .discard: return try await response.delivered(for: request)
    case .writer: return response
    }
  }

  /// Returns the request's body for the next attempt; `nil` if there is none. A body that can be sent only once is provided
  /// again by the session's hook.
  private func newBody(for request: Request, _ context: CallContext) -> RequestBody? {
    request.body.isReplayable ? request.body : context.newBody?()
  }
}

extension Request {
  /// Adds an `Idempotency-Key` to a request that needs one to be retried. Each request gets another.
  fileprivate mutating func addIdempotencyKey() {
    guard !method.isIdempotent, !headers.contains(.idempotencyKey) else { return }
    headers[.idempotencyKey] = "\"\(UUID().uuidString.lowercased())\""
  }
}

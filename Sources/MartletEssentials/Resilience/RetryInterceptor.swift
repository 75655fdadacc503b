import EssentialFoundation
import HTTPTypes
public import MartletCore

/// Sends a request again after a failure, as a ``/MartletCore/RetryPolicy`` decides.
///
/// A session has one. It sees one response for each attempt of a call, after redirects and challenges. A download
/// continues its partial file, and a stream continues in the middle of its body.
public struct RetryInterceptor: Interceptor {
  private let policy: RetryPolicy
  private let isEnabled: Bool
  private let timeouts: Timeouts
  private let clock: ResilienceClock
  private let balances = OriginStates { RetryBalance() }

  /// An interceptor that sends failed requests again.
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

  /// Returns `.callSend` for a request that may be sent again.
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
    var request = request
    // All attempts belong to the same call.
    request.call = request.call ?? Call()
    if policy.addsIdempotencyKey { request.addIdempotencyKey() }
    var retries = Retries(policy, request, timeouts: timeouts, balances, clock)
    while true {
      let pause: Duration
      do {
        let response = try await next.send(request)
        guard policy.statuses.contains(response.status.code),
          let wait = pauseAfter(AttemptFailure(response.head), request, next, &retries)
        else { return try await delivered(response, request, next, retries) }
        await response.body.discard()
        pause = wait
      } catch {
        guard let failure = AttemptFailure(error),
          let wait = pauseAfter(failure, request, next, &retries)
        else { throw retries.completed(error) }
        pause = wait
      }
      try await retries.wait(pause)
      if !request.body.isReplayable { request.body = next.context.newBody?() ?? request.body }
    }
  }

  private func pauseAfter(
    _ failure: AttemptFailure, _ request: Request, _ next: Next, _ retries: inout Retries
  ) -> Duration? {
    retries.pause(
      after: failure,
      isReplayable: request.body.isReplayable || next.context.newBody != nil,
      received: next.context.task?.download?.resumeData.current?.received ?? 0)
  }

  /// Delivers a body that goes into a file, so that the request is sent again if that fails. A stream that can be
  /// continued is continued when it breaks off.
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
    case .buffer, .file, .writer: return try await response.delivered(for: request)
    case .discard: return response
    }
  }
}

extension Request {
  /// Adds an `Idempotency-Key` to a request that needs one to be sent again. Each request gets another.
  fileprivate mutating func addIdempotencyKey() {
    guard !method.isIdempotent, !headers.contains(.idempotencyKey) else { return }
    headers[.idempotencyKey] = "\"\(UUID().uuidString.lowercased())\""
  }
}

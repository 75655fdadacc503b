import HTTPTypes
import MartletCore

/// The attempts of one call, and the decisions about them.
struct Retries: Sendable {
  /// An attempt that has received this many bytes of a body, which the next attempt continues, begins a new count. It is
  /// no load that the server had not before.
  static let progress: Int64 = 64 << 10
  /// The most failed attempts that are kept.
  private static let historyLength = 20

  private let policy: RetryPolicy
  private let request: Request
  private let origin: Origin?
  private let timeouts: Timeouts
  private let balances: OriginStates<RequestBalance>
  private let clock: ResilienceClock
  private let elapsed: @Sendable () -> Duration
  private var attempt = 1
  private var attemptStart = Duration.zero
  private var received: Int64
  /// The attempts that have failed, and after which the request was retried.
  private(set) var failures: [FailedAttempt] = []

  /// - Parameters:
  ///   - policy: When and how often the request is retried.
  ///   - request: The request, which has a call.
  ///   - received: The number of bytes that an earlier download has received.
  ///   - timeouts: The time-outs of the session.
  ///   - balances: The retries that the budget still allows.
  ///   - clock: The time.
  init(
    _ policy: RetryPolicy, _ request: Request, received: Int64, timeouts: Timeouts,
    _ balances: OriginStates<RequestBalance>, _ clock: ResilienceClock
  ) {
    self.policy = policy
    self.request = request
    self.received = received
    self.timeouts = timeouts
    self.balances = balances
    self.clock = clock
    origin = try? request.origin
    elapsed = clock.stopwatch()
    if let budget = policy.budget, let origin { balances.update(origin) { $0.earn(budget) } }
  }

  /// Decides whether the request is retried, and reports the decision.
  ///
  /// - Parameters:
  ///   - failure: How the attempt has failed.
  ///   - isReplayable: Whether the body can be sent again.
  ///   - received: The number of bytes that the attempts have received, and that no other has to receive again.
  /// - Returns: The pause before the next attempt; `nil` if there is none.
  mutating func pause(
    after failure: AttemptFailure, isReplayable: Bool, received: Int64
  ) -> Duration? {
    let hasProgress = received - self.received >= Self.progress
    if hasProgress { (attempt, self.received) = (1, received) }
    guard var decision = decision(after: failure, isReplayable) else { return nil }
    // What continues a body is no more load than the server would have had without the failure.
    if decision.pause != nil, !hasProgress, !spend() { decision.outcome = .giveUp(.budgetSpent) }
    request.call?.report(.retryDecided(decision))
    guard let pause = decision.pause else { return nil }
    let now = elapsed()
    failures.append(
      FailedAttempt(
        failure.reason, isUnprocessed: failure.isUnprocessed, after: now - attemptStart,
        pause: pause))
    if failures.count > Self.historyLength { failures.removeFirst() }
    attempt += 1
    attemptStart = now + pause
    return pause
  }

  /// Waits before the next attempt.
  ///
  /// - Throws: `MartletError` with code `.cancelled` if the call or the task is cancelled meanwhile.
  func wait(_ pause: Duration) async throws {
    try await (request.call ?? Call()).wait { [clock] in try await clock.sleep(pause) }
  }

  /// Returns the error with the attempts before it.
  func completed(_ error: any Error) -> any Error {
    (error as? MartletError)?.following(failures) ?? error
  }

  private func decision(after failure: AttemptFailure, _ isReplayable: Bool) -> RetryDecision? {
    let situation = RetrySituation(
      attempt: attempt, isRepeatable: request.isRepeatable, isUnprocessed: failure.isUnprocessed,
      isReplayable: isReplayable,
      retryAfter: failure.headers.flatMap { RetryAfter.delay($0, at: clock.date()) },
      remaining: remaining, random: clock.random())
    return policy.decision(after: failure.reason, in: situation)
  }

  /// The time until the total time-out, by the engine's clock and by that of the policy.
  private var remaining: Duration? {
    guard let total = request.timeouts(default: timeouts).total else { return nil }
    let remaining = request.call?.remainingTime(request.timeouts(default: timeouts))
    return min(remaining ?? total, total - elapsed())
  }

  private func spend() -> Bool {
    guard let budget = policy.budget, let origin else { return true }
    return balances.update(origin) { $0.spend(budget) }
  }
}

/// How an attempt has failed, with the header fields of its response if it has one.
struct AttemptFailure {
  let reason: FailedAttempt.Reason
  let headers: HTTPFields?
  /// Whether the server has certainly not processed the request: it has refused it early (RFC 8470 §5.2), or because there
  /// were too many (RFC 6585 §4), or the request has not reached it.
  let isUnprocessed: Bool

  /// A response that the caller may not receive. One that follows redirects shows nothing about the first request, and none
  /// about earlier attempts.
  init(_ response: Response) {
    let isRefused = response.status.code == 425 || response.status.code == 429
    self.init(
      .status(response.status), response.headers,
      isUnprocessed: isRefused && response.redirects.isEmpty
        && response.failedAttempts.allSatisfy(\.isUnprocessed))
  }

  /// An error; `nil` if it is none of the pipeline's. A download throws an error for a status.
  init?(_ error: any Error) {
    guard let error = error as? MartletError else { return nil }
    if error.code == .unacceptableStatusCode, let head = error.response {
      self.init(.status(head.status), head.headers, isUnprocessed: false)
    } else {
      self.init(.error(error), nil, isUnprocessed: error.isSafeToRetry)
    }
  }

  private init(_ reason: FailedAttempt.Reason, _ headers: HTTPFields?, isUnprocessed: Bool) {
    self.reason = reason
    self.headers = headers
    self.isUnprocessed = isUnprocessed
  }
}

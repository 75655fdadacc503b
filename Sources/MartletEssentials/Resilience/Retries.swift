import HTTPTypes
import MartletCore

/// The attempts of one call, and the decisions about them.
struct Retries: Sendable {
  /// An attempt that has received this many bytes of a body, which the next attempt continues, begins a new count. It is
  /// no load that the server had before.
  static let progress: Int64 = 64 << 10
  /// The most failed attempts that are kept.
  private static let longestHistory = 20

  private let policy: RetryPolicy
  private let call: Call?
  private let isRepeatable: Bool
  private let origin: Origin?
  private let totalTimeOut: Duration?
  private let balances: OriginStates<RetryBalance>
  private let clock: ResilienceClock
  private let elapsed: @Sendable () -> Duration
  private var attempt = 1
  private var attemptStart = Duration.zero
  private var received: Int64 = 0
  /// The attempts that have failed, and after which the request was sent again.
  private(set) var failures: [FailedAttempt] = []

  /// - Parameters:
  ///   - policy: When and how often the request is sent again.
  ///   - request: The request.
  ///   - timeouts: The time-outs of the session.
  ///   - balances: The retries that the budget still allows.
  ///   - clock: The time.
  init(
    _ policy: RetryPolicy, _ request: Request, timeouts: Timeouts,
    _ balances: OriginStates<RetryBalance>,
    _ clock: ResilienceClock
  ) {
    self.policy = policy
    call = request.call
    isRepeatable = request.isRepeatable
    origin = try? request.origin
    totalTimeOut = request.timeouts(default: timeouts).total
    self.balances = balances
    self.clock = clock
    elapsed = clock.stopwatch()
    if let budget = policy.budget, let origin { balances.update(origin) { $0.earn(budget) } }
  }

  /// Decides whether the request is sent again, and reports the decision.
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
    call?.report(.retryDecided(decision))
    guard let pause = decision.pause else { return nil }
    let now = elapsed()
    failures.append(FailedAttempt(failure.reason, after: now - attemptStart, pause: pause))
    if failures.count > Self.longestHistory { failures.removeFirst() }
    attempt += 1
    attemptStart = now + pause
    return pause
  }

  /// Waits before the next attempt.
  ///
  /// - Throws: `MartletError` with code `.cancelled` if the call or the task is cancelled meanwhile.
  func wait(_ pause: Duration) async throws {
    guard let call else { return try await clock.sleep(pause) }
    try await call.wait { [clock] in try await clock.sleep(pause) }
  }

  /// Returns the error with the attempts before it.
  func completed(_ error: any Error) -> any Error {
    (error as? MartletError)?.following(failures) ?? error
  }

  private func decision(after failure: AttemptFailure, _ isReplayable: Bool) -> RetryDecision? {
    let situation = RetrySituation(
      attempt: attempt, isRepeatable: isRepeatable, isReplayable: isReplayable,
      retryAfter: failure.headers.flatMap { RetryAfter.delay($0, at: clock.date()) },
      remaining: totalTimeOut.map { $0 - elapsed() }, random: clock.random())
    return policy.decision(after: failure.reason, in: situation)
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

  /// A response that the caller may not receive.
  init(_ head: ResponseHead) {
    self.init(reason: .status(head.status), headers: head.headers)
  }

  /// An error; `nil` if it is none of the pipeline's. A download throws an error for a status.
  init?(_ error: any Error) {
    guard let error = error as? MartletError else { return nil }
    if error.code == .unacceptableStatusCode, let head = error.response {
      self.init(head)
    } else {
      self.init(reason: .error(error), headers: nil)
    }
  }

  private init(reason: FailedAttempt.Reason, headers: HTTPFields?) {
    self.reason = reason
    self.headers = headers
  }
}

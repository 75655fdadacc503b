import HTTPTypes

/// Which failed requests are retried, how often, and when.
///
///     let api = HTTPSessionManager(baseURL: url) { $0.resilience.retry = .standard }
///     try await api.post("orders", parameters: order) { $0.retryPolicy = .never }
///
/// A request is retried only if that cannot have its effect twice. One of these must hold:
///
/// * its method is idempotent (RFC 9110 §9.2.2), or it has an `Idempotency-Key`;
/// * the error shows that the server has not processed it (`MartletError.isSafeToRetry`);
/// * the status shows that: 425 (RFC 8470 §5.2) or 429 (RFC 6585 §4).
///
/// And its body must be one that can be sent again. `timeouts.total` limits all attempts and pauses together.
public struct RetryPolicy: Hashable, Sendable {
  /// The most attempts, including the first. The default is 3.
  ///
  /// A download or a stream that continues where it broke off may have more: an attempt that has received 64 KiB or more
  /// begins a new count.
  public var maximumAttempts = 3
  /// The delays between attempts. The default is at most 0.2 s after the first failure, and doubles.
  public var backoff = Backoff()
  /// The statuses after which a request is retried. The default is 408, 425, 429, 500, 502, 503 and 504.
  public var statuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]
  /// The errors after which a request is retried. The default is the errors of connections, of the look-up of hosts
  /// and of proxies, time-outs, and bodies that end too early.
  public var errors: Set<MartletError.Code> = [
    .unknownHost, .connectionFailed, .connectionLost, .timedOut, .tlsFailed, .streamReset,
    .bodyTruncated, .proxyNotReachable, .proxyFailed, .requestLost,
  ]
  /// The phases whose time-outs count as such errors. The default is all.
  public var timeOutPhases: Set<MartletError.Phase> = [
    .resolve, .connect, .proxy, .tls, .send, .wait, .receive,
  ]
  /// The longest `Retry-After` that is waited for. The default is 60 s. After a response that requires a longer wait, the
  /// request is not retried.
  public var maximumRetryAfter = Duration.seconds(60)
  /// Whether a request whose method is not idempotent gets an `Idempotency-Key`, the same in each attempt, so that it can
  /// be retried. The default is false: the server must support the field.
  public var addsIdempotencyKey = false
  /// The share of requests to one server that may be retries. The default is a fifth. With `nil`, there is no limit.
  public var budget: RequestBudget? = RequestBudget()

  /// A policy with the documented defaults.
  public init() {}

  /// A policy with the documented defaults.
  public static let standard = RetryPolicy()

  /// A policy that retries nothing.
  public static let never: RetryPolicy = {
    var policy = RetryPolicy()
    policy.maximumAttempts = 1
    return policy
  }()

  /// Whether any request may be retried.
  package var isEnabled: Bool { maximumAttempts > 1 }

  /// Returns the decision about a request whose attempt has failed.
  ///
  /// - Parameters:
  ///   - reason: How the attempt has failed.
  ///   - situation: The request, and the time that is left.
  /// - Returns: The decision, without regard to the budget; `nil` if the policy is not for such failures.
  package func decision(
    after reason: FailedAttempt.Reason, in situation: RetrySituation
  ) -> RetryDecision? {
    guard isEnabled, applies(to: reason) else { return nil }
    return RetryDecision(
      attempt: situation.attempt, maximumAttempts: maximumAttempts, reason: reason,
      retryAfter: situation.retryAfter, outcome: outcome(after: reason, in: situation))
  }

  /// Whether the policy is for such failures.
  package func applies(to reason: FailedAttempt.Reason) -> Bool {
    switch reason {
    case .status(let status): statuses.contains(status.code)
    case .error(let error) where error.code == .timedOut:
      errors.contains(.timedOut) && error.phase.map(timeOutPhases.contains) ?? true
    case .error(let error): errors.contains(error.code)
    }
  }

  private func outcome(
    after reason: FailedAttempt.Reason, in situation: RetrySituation
  ) -> RetryDecision.Outcome {
    guard situation.attempt < maximumAttempts else { return .giveUp(.attemptsUsed) }
    guard situation.isRepeatable || situation.isUnprocessed else { return .giveUp(.notRepeatable) }
    guard situation.isReplayable else { return .giveUp(.bodyNotReplayable) }
    let wait = situation.retryAfter ?? .zero
    guard wait <= maximumRetryAfter.boundedDelay else { return .giveUp(.retryAfterTooLong) }
    // Clients that have received the same `Retry-After` do not retry at the same time.
    let pause = wait + backoff.delay(after: situation.attempt, random: situation.random)
    if let remaining = situation.remaining, pause >= remaining { return .giveUp(.deadline) }
    return .retry(after: pause)
  }
}

/// What a decision about a retry depends on, besides the failure.
package struct RetrySituation: Sendable {
  /// The number of the attempt that has failed, from 1.
  package var attempt: Int
  /// Whether the effect of the request is the same if it is sent twice.
  package var isRepeatable: Bool
  /// Whether the server has certainly not processed it.
  package var isUnprocessed: Bool
  /// Whether the body can be sent again.
  package var isReplayable: Bool
  /// The time that the server requires the client to wait.
  package var retryAfter: Duration?
  /// The time until the total time-out.
  package var remaining: Duration?
  /// A random number from 0 to 1.
  package var random: Double

  package init(
    attempt: Int, isRepeatable: Bool, isUnprocessed: Bool, isReplayable: Bool,
    retryAfter: Duration?, remaining: Duration?, random: Double
  ) {
    self.attempt = attempt
    self.isRepeatable = isRepeatable
    self.isUnprocessed = isUnprocessed
    self.isReplayable = isReplayable
    self.retryAfter = retryAfter
    self.remaining = remaining
    self.random = random
  }
}

/// Whether a request is retried after an attempt has failed, and why.
public struct RetryDecision: Sendable {
  /// What follows.
  public enum Outcome: Hashable, Sendable {
    /// The request is retried after a pause.
    case retry(after: Duration)
    /// The failure is passed on to the caller.
    case giveUp(GiveUpReason)
  }

  /// Why a request is not retried.
  public enum GiveUpReason: Hashable, Sendable {
    /// It was the last attempt that the policy allows.
    case attemptsUsed
    /// The server may have processed the request, and doing so twice may have another effect.
    case notRepeatable
    /// The body can be sent only once.
    case bodyNotReplayable
    /// The server requires a longer wait than the policy allows.
    case retryAfterTooLong
    /// The total time-out would end before the next attempt.
    case deadline
    /// Too large a share of the requests to this server are retries.
    case budgetSpent
  }

  /// The number of the attempt that has failed, from 1. An attempt that has received much of a body which the next one
  /// continues is the first of a new count.
  public let attempt: Int
  /// The most attempts.
  public let maximumAttempts: Int
  /// How the attempt has failed.
  public let reason: FailedAttempt.Reason
  /// The time that the server requires the client to wait, if it does.
  public let retryAfter: Duration?
  /// What follows.
  public package(set) var outcome: Outcome

  /// The pause before the next attempt; `nil` if there is none.
  package var pause: Duration? {
    if case .retry(let pause) = outcome { pause } else { nil }
  }
}

extension RetryDecision: CustomStringConvertible {
  /// The decision as text, such as `attempt 2 of 3 in 1.08 s: 503, Retry-After 1 s`.
  public var description: String {
    let wait = retryAfter.map { ", Retry-After \($0.text)" } ?? ""
    switch outcome {
    case .retry(let pause):
      return "attempt \(attempt + 1) of \(maximumAttempts) in \(pause.text): \(reason)\(wait)"
    case .giveUp(let obstacle):
      return "gave up after attempt \(attempt) of \(maximumAttempts): \(reason)\(wait), \(obstacle)"
    }
  }
}

extension RetryDecision.GiveUpReason: CustomStringConvertible {
  /// The reason as a clause.
  public var description: String {
    switch self {
    case .attemptsUsed: "no attempts are left"
    case .notRepeatable: "the server may have processed the request"
    case .bodyNotReplayable: "the body can be sent only once"
    case .retryAfterTooLong: "the server requires too long a wait"
    case .deadline: "the total time-out would end before"
    case .budgetSpent: "too many of the requests to this server are retries"
    }
  }
}

import EssentialFoundation
import HTTPTypes
import Testing

@testable import MartletCore

/// Which failures are followed by another attempt, and when. Decided without any request.
struct RetryPolicyTests {
  private func outcome(
    _ policy: RetryPolicy = .standard,
    after reason: FailedAttempt.Reason = .status(.serviceUnavailable),
    _ change: (inout RetrySituation) -> Void = { _ in }
  ) -> RetryDecision.Outcome? {
    var situation = RetrySituation(
      attempt: 1, isRepeatable: true, isUnprocessed: false, isReplayable: true, retryAfter: nil,
      remaining: nil,
      random: 0.5)
    change(&situation)
    return policy.decision(after: reason, in: situation)?.outcome
  }

  private func error(
    _ code: MartletError.Code, _ phase: MartletError.Phase? = nil
  ) -> FailedAttempt.Reason {
    .error(MartletError(code, "It failed.", phase: phase))
  }

  @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
  func `a status that may pass is followed by another attempt`(code: Int) {
    let status = HTTPResponse.Status(code: code)
    #expect(outcome(after: .status(status)) == .retry(after: .milliseconds(100)))
  }

  @Test(arguments: [200, 304, 400, 401, 404, 409, 412, 501, 505])
  func `any other status is the caller's`(code: Int) {
    #expect(outcome(after: .status(HTTPResponse.Status(code: code))) == nil)
  }

  @Test(arguments: [
    MartletError.Code.unknownHost, .connectionFailed, .connectionLost, .streamReset, .bodyTruncated,
    .proxyNotReachable, .proxyFailed, .tlsFailed, .timedOut,
  ])
  func `an error of the network is followed by another attempt`(code: MartletError.Code) {
    #expect(outcome(after: error(code)) == .retry(after: .milliseconds(100)))
  }

  @Test(arguments: [
    MartletError.Code.cancelled, .shutDown, .certificateExpired, .malformedResponse, .bodyTooLarge,
    .invalidURL, .credentialsRefused, .fileNotWritable,
  ])
  func `an error that would come again is the caller's`(code: MartletError.Code) {
    #expect(outcome(after: error(code)) == nil)
  }

  @Test func `time-outs count by their phase`() {
    var policy = RetryPolicy.standard
    policy.timeOutPhases = [.connect]
    #expect(outcome(policy, after: error(.timedOut, .connect)) == .retry(after: .milliseconds(100)))
    #expect(outcome(policy, after: error(.timedOut, .receive)) == nil)
  }

  @Test func `there are as many attempts as the policy allows`() {
    #expect(outcome { $0.attempt = 2 } == .retry(after: .milliseconds(200)))
    #expect(outcome { $0.attempt = 3 } == .giveUp(.attemptsUsed))
    #expect(outcome(.never) == nil)
    var twice = RetryPolicy.standard
    twice.maximumAttempts = 2
    #expect(outcome(twice) == .retry(after: .milliseconds(100)))
    #expect(outcome(twice) { $0.attempt = 2 } == .giveUp(.attemptsUsed))
  }

  @Test(arguments: [500, 502, 503, 504, 408])
  func `a POST that may have been processed is not sent again`(code: Int) {
    let reason = FailedAttempt.Reason.status(HTTPResponse.Status(code: code))
    #expect(outcome(after: reason) { $0.isRepeatable = false } == .giveUp(.notRepeatable))
    #expect(
      outcome(after: error(.connectionLost)) { $0.isRepeatable = false } == .giveUp(.notRepeatable))
  }

  @Test func `a POST that the server has not processed is retried`() {
    for reason in [error(.connectionFailed), .status(.tooManyRequests)] {
      let outcome = outcome(after: reason) { ($0.isRepeatable, $0.isUnprocessed) = (false, true) }
      #expect(outcome == .retry(after: .milliseconds(100)))
    }
  }

  @Test func `a body that can be sent only once is not sent again`() {
    #expect(outcome { $0.isReplayable = false } == .giveUp(.bodyNotReplayable))
  }

  @Test func `Retry-After is waited for, and a part of the pause is added`() {
    #expect(outcome { $0.retryAfter = .seconds(7) } == .retry(after: .milliseconds(7100)))
    #expect(outcome { $0.retryAfter = .seconds(60) } == .retry(after: .milliseconds(60_100)))
  }

  @Test func `a Retry-After that is too long is the end`() {
    #expect(outcome { $0.retryAfter = .seconds(61) } == .giveUp(.retryAfterTooLong))
    #expect(outcome { $0.retryAfter = .seconds(31_557_600_000) } == .giveUp(.retryAfterTooLong))
  }

  @Test func `no attempt begins after the total time-out`() {
    #expect(outcome { $0.remaining = .milliseconds(100) } == .giveUp(.deadline))
    #expect(outcome { $0.remaining = .milliseconds(101) } == .retry(after: .milliseconds(100)))
    #expect(outcome { $0.remaining = .seconds(-1) } == .giveUp(.deadline))
  }

  @Test func `a decision says why`() {
    let situation = RetrySituation(
      attempt: 1, isRepeatable: true, isUnprocessed: false, isReplayable: true,
      retryAfter: .seconds(1), remaining: nil,
      random: 0.25)
    let reason = FailedAttempt.Reason.status(.serviceUnavailable)
    let retry = RetryPolicy.standard.decision(after: reason, in: situation)
    #expect(retry?.description == "attempt 2 of 3 in 1.05 s: 503, Retry-After 1 s")
    var last = situation
    last.attempt = 3
    let end = RetryPolicy.standard.decision(after: reason, in: last)
    #expect(
      end?.description == "gave up after attempt 3 of 3: 503, Retry-After 1 s, no attempts are left"
    )
  }
}

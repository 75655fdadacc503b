/// The circuit of one server: counts its failures, and decides whether a request may be sent. It has no clock of its own.
package struct Circuit: Sendable {
  /// The states of a circuit.
  package enum State: Hashable, Sendable {
    /// Requests are sent.
    case closed
    /// Requests are refused until then.
    case open(until: Duration)
    /// One request at a time probes the server. The time is that at which the present one began.
    case halfOpen(successes: Int, probeStart: Duration?)
  }

  /// What happens to a request.
  package enum Admission: Hashable, Sendable {
    /// It is sent, and counts unless the circuit has opened meanwhile. The number is that of the openings before it.
    case send(afterOpenings: Int)
    /// It is sent, and decides whether the circuit closes.
    case probe
    /// It is refused. The circuit lets a probe pass after this time.
    case refuse(retryAfter: Duration)
  }

  /// What the outcome of a request changes.
  package enum Change: Hashable, Sendable {
    /// Requests are refused for this time, because so many of the recent requests have failed.
    case opened(for: Duration, failures: Int, requests: Int)
    /// Requests are sent again.
    case closed
  }

  package private(set) var state = State.closed
  private var counts = WindowedCounts()
  /// How often the circuit has opened without closing, and in all.
  private var openings = 0
  private var allOpenings = 0

  /// The circuit before the first request.
  package init() {}

  /// Decides about a request.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - policy: The policy.
  /// - Returns: The decision. A request that is sent must be followed by `record` or `forget`.
  package mutating func admit(at now: Duration, _ policy: CircuitBreakerPolicy) -> Admission {
    switch state {
    case .closed: return .send(afterOpenings: allOpenings)
    case .open(let end) where now < end: return .refuse(retryAfter: end - now)
    case .open:
      state = .halfOpen(successes: 0, probeStart: now)
      return .probe
    case .halfOpen(_, let start?) where now < start + policy.maximumOpenDuration.boundedDelay:
      return .refuse(retryAfter: .zero)
    case .halfOpen(let successes, _):
      // A probe that takes so long must not keep the circuit from closing.
      state = .halfOpen(successes: successes, probeStart: now)
      return .probe
    }
  }

  /// Records the outcome of a request.
  ///
  /// - Parameters:
  ///   - isFailure: Whether it has failed.
  ///   - admission: What was decided about it.
  ///   - now: The time.
  ///   - policy: The policy.
  /// - Returns: What it changes, if anything.
  package mutating func record(
    isFailure: Bool, of admission: Admission, at now: Duration, _ policy: CircuitBreakerPolicy
  ) -> Change? {
    switch (state, admission) {
    case (.closed, .send(allOpenings)):
      counts.add(isFailure: isFailure, at: now, window: policy.window)
      guard isFailure else { return nil }
      let (failures, requests) = counts.recent
      guard policy.isExceeded(by: failures, of: requests) else { return nil }
      return .opened(for: open(at: now, policy), failures: failures, requests: requests)
    case (.halfOpen, .probe) where isFailure:
      return .opened(for: open(at: now, policy), failures: 1, requests: 1)
    case (.halfOpen(let successes, _), .probe) where successes + 1 < policy.probes:
      state = .halfOpen(successes: successes + 1, probeStart: nil)
      return nil
    case (.halfOpen, .probe):
      (state, openings) = (.closed, 0)
      return .closed
    default:
      // A request from before the circuit opened shows nothing new.
      return nil
    }
  }

  /// Records that a request has ended without showing anything about the server, such as by a cancellation.
  package mutating func forget(_ admission: Admission) {
    guard case .halfOpen(let successes, _?) = state, admission == .probe else { return }
    state = .halfOpen(successes: successes, probeStart: nil)
  }

  /// Refuses requests from now on.
  ///
  /// - Returns: For how long.
  private mutating func open(at now: Duration, _ policy: CircuitBreakerPolicy) -> Duration {
    let durations = Backoff(
      initialDelay: policy.openDuration,
      maximumDelay: max(policy.maximumOpenDuration, policy.openDuration))
    openings += 1
    allOpenings += 1
    let duration = durations.delay(after: openings, random: 1)
    state = .open(until: now + duration)
    counts = WindowedCounts()
    return duration
  }
}

/// The requests of the last seconds, and how many of them have failed.
private struct WindowedCounts {
  /// A window slides by a tenth of itself.
  private static let slots = 10

  private struct Slot {
    var number: Int64 = .min
    var requests = 0
    var failures = 0
  }

  private var slots = [Slot](repeating: Slot(), count: slots)
  private var current: Int64 = 0

  mutating func add(isFailure: Bool, at now: Duration, window: Duration) {
    let length = max(window / Self.slots, .milliseconds(1))
    current = Int64((now / length).rounded(.down))
    let index = Int(current.magnitude % UInt64(Self.slots))
    if slots[index].number != current { slots[index] = Slot(number: current) }
    slots[index].requests += 1
    if isFailure { slots[index].failures += 1 }
  }

  /// The failures and the requests of the window.
  var recent: (failures: Int, requests: Int) {
    slots.filter { $0.number > current - Int64(Self.slots) }.reduce((0, 0)) {
      ($0.0 + $1.failures, $0.1 + $1.requests)
    }
  }
}

extension CircuitBreakerPolicy {
  /// Whether the share of failures opens the circuit.
  fileprivate func isExceeded(by failures: Int, of requests: Int) -> Bool {
    requests >= minimumRequests && Double(failures) >= failureRatio * Double(requests)
  }
}

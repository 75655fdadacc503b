import HTTPTypes
import Testing

@testable import MartletCore

/// When requests to a server that fails are refused. Decided without any request.
struct CircuitTests {
  private var circuit = Circuit()
  private var policy = CircuitBreakerPolicy()

  init() {
    policy.failureRatio = 0.5
    policy.openDuration = .seconds(5)
    policy.maximumOpenDuration = .seconds(60)
  }

  /// Sends requests, one after the other.
  private mutating func send(_ count: Int, failing isFailure: Bool, at now: Duration = .zero) {
    for _ in 0..<count {
      let admission = circuit.admit(at: now, policy)
      _ = circuit.record(isFailure: isFailure, of: admission, at: now, policy)
    }
  }

  @Test mutating func `it opens when half of the requests of a window fail`() {
    send(10, failing: false)
    send(9, failing: true)
    #expect(circuit.state == .closed)
    send(1, failing: true)
    #expect(circuit.state == .open(until: .seconds(5)))
    #expect(circuit.admit(at: .seconds(2), policy) == .refuse(retryAfter: .seconds(3)))
  }

  @Test mutating func `few requests do not open it`() {
    send(19, failing: true)
    #expect(circuit.state == .closed)
  }

  @Test mutating func `failures from before the window do not count`() {
    send(19, failing: true)
    send(1, failing: true, at: .seconds(11))
    #expect(circuit.state == .closed)
    send(19, failing: true, at: .seconds(20))
    #expect(circuit.state == .open(until: .seconds(25)))
  }

  @Test mutating func `after the pause one request at a time probes the server`() {
    send(20, failing: true)
    let probe = circuit.admit(at: .seconds(5), policy)
    #expect(probe == .probe)
    #expect(circuit.admit(at: .seconds(5), policy) == .refuse(retryAfter: .zero))
    _ = circuit.record(isFailure: false, of: probe, at: .seconds(6), policy)
    #expect(circuit.admit(at: .seconds(6), policy) == .probe)
    _ = circuit.record(isFailure: false, of: .probe, at: .seconds(6), policy)
    #expect(circuit.state == .closed)
    #expect(circuit.admit(at: .seconds(6), policy) == .send(afterOpenings: 1))
  }

  @Test
  mutating func `a server that comes and goes is left alone for longer each time, up to a limit`() {
    send(20, failing: true)
    var (now, pauses) = (Duration.zero, [Duration]())
    for _ in 1...6 {
      guard case .open(let end) = circuit.state else { break }
      pauses.append(end - now)
      now = end
      send(1, failing: true, at: now)
    }
    #expect(pauses == [5, 10, 20, 40, 60, 60].map { .seconds($0) })
    send(2, failing: false, at: now + .seconds(60))
    send(20, failing: true, at: now + .seconds(60))
    #expect(circuit.state == .open(until: now + .seconds(65)))
  }

  @Test mutating func `a probe that is cancelled makes room for another`() {
    send(20, failing: true)
    let probe = circuit.admit(at: .seconds(5), policy)
    circuit.forget(probe)
    #expect(circuit.admit(at: .seconds(5), policy) == .probe)
  }

  @Test mutating func `a request from before the circuit opened does not close it`() {
    let early = circuit.admit(at: .zero, policy)
    send(20, failing: true)
    _ = circuit.record(isFailure: false, of: early, at: .seconds(1), policy)
    #expect(circuit.state == .open(until: .seconds(5)))
    _ = circuit.admit(at: .seconds(5), policy)
    _ = circuit.record(isFailure: false, of: early, at: .seconds(5), policy)
    circuit.forget(early)
    #expect(circuit.state == .halfOpen(successes: 0, probeStart: .seconds(5)))
  }

  @Test mutating func `failures from before the circuit opened do not open it again`() {
    let early = (0..<40).map { _ in circuit.admit(at: .zero, policy) }
    send(20, failing: true)
    send(2, failing: false, at: .seconds(5))
    for admission in early {
      _ = circuit.record(isFailure: true, of: admission, at: .seconds(6), policy)
    }
    #expect(circuit.state == .closed)
  }

  @Test mutating func `a probe that does not end is followed by another`() {
    send(20, failing: true)
    #expect(circuit.admit(at: .seconds(5), policy) == .probe)
    #expect(circuit.admit(at: .seconds(64), policy) == .refuse(retryAfter: .zero))
    #expect(circuit.admit(at: .seconds(65), policy) == .probe)
  }

  @Test mutating func `settings that make no sense are no trap`() {
    policy.window = .zero
    policy.openDuration = .seconds(-1)
    policy.minimumRequests = 0
    policy.probes = 0
    send(3, failing: true, at: .seconds(1_000_000_000))
    send(3, failing: false, at: .seconds(1_000_000_001))
    #expect(circuit.state == .closed)
  }

  @Test func `only failures of the server count`() {
    let lost = FailedAttempt.Reason.error(MartletError(.connectionLost, "Lost."))
    let cancelled = FailedAttempt.Reason.error(.cancelled)
    #expect(policy.isFailure(lost) == true)
    #expect(policy.isFailure(.status(.badGateway)) == true)
    #expect(policy.isFailure(.status(.notFound)) == false)
    #expect(policy.isFailure(cancelled) == nil)
  }
}

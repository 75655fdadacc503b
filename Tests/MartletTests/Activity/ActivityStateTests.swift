import SpecificationCoverage
import Testing

@testable import Martlet
@testable import MartletEssentials

/// The indicator's state machine.
struct ActivityStateTests {
  private final class Task {}
  private let one = Task()
  private let other = Task()

  private func enabled() -> ActivityState {
    var state = ActivityState()
    state.enable(true)
    return state
  }

  /// The timer that comes of a look at the count; there must be one.
  private func timer(_ state: inout ActivityState) throws -> ActivityState.Timer {
    let timer = state.evaluate()
    return try #require(timer)
  }

  /// Looks at the count, which must start no timer.
  private func look(_ state: inout ActivityState) {
    let timer = state.evaluate()
    #expect(timer == nil)
  }

  /// A machine that shows.
  private func active() throws -> ActivityState {
    var state = enabled()
    state.increment()
    state.timerFired(try timer(&state))
    return state
  }

  @Test(.covers("ACT-4"))
  func `it begins inactive, and with the documented delays`() {
    let state = ActivityState()
    #expect(state.phase == .notActive && !state.isVisible && !state.isEnabled)
    #expect(state.activationDelay == .seconds(1))
    #expect(state.completionDelay == .milliseconds(170))
  }

  @Test(.covers("ACT-4", "ACT-5"))
  func `what is under way for long enough shows, until nothing has been for long enough`() throws {
    var state = enabled()
    look(&state)
    state.increment()
    let start = try timer(&state)
    #expect(state.phase == .delayingStart && !state.isVisible)
    #expect(start.delay == .seconds(1))
    state.timerFired(start)
    #expect(state.phase == .active && state.isVisible)
    look(&state)
    state.decrement()
    let end = try timer(&state)
    #expect(state.phase == .delayingEnd && state.isVisible)
    #expect(end.delay == .milliseconds(170))
    state.timerFired(end)
    #expect(state.phase == .notActive && !state.isVisible)
  }

  @Test(.covers("ACT-4", "ACT-9"))
  func `what is over before the delay is never shown`() throws {
    var state = enabled()
    state.increment()
    let start = try timer(&state)
    state.decrement()
    look(&state)
    #expect(state.phase == .delayingStart)
    state.timerFired(start)
    #expect(state.phase == .notActive)
  }

  @Test(.covers("ACT-4", "ACT-5", "ACT-9"))
  func `a gap that is shorter than the delay does not show, and its timer means nothing later`()
    throws
  {
    var state = try active()
    state.decrement()
    let end = try timer(&state)
    state.increment()
    look(&state)
    #expect(state.phase == .active)
    state.timerFired(end)
    #expect(state.phase == .active)
    state.decrement()
    let next = try timer(&state)
    state.timerFired(end)
    #expect(state.phase == .delayingEnd)
    state.timerFired(next)
    #expect(state.phase == .notActive)
  }

  @Test(.covers("ACT-6"))
  func `delays count as they are when the timer starts`() throws {
    var state = enabled()
    state.activationDelay = .seconds(5)
    state.increment()
    let start = try timer(&state)
    #expect(start.delay == .seconds(5))
    state.activationDelay = .zero
    state.completionDelay = .zero
    state.timerFired(start)
    state.decrement()
    let end = try timer(&state)
    #expect(end.delay == .zero)
    #expect(state.phase == .delayingEnd)
  }

  @Test(.covers("ACT-2"))
  func `the count is never below zero, and is kept while disabled`() {
    var state = ActivityState()
    state.decrement()
    #expect(state.count == 0)
    state.increment()
    state.increment()
    #expect(state.count == 2)
    state.decrement()
    state.decrement()
    state.decrement()
    #expect(state.count == 0)
  }

  @Test(.covers("ACT-3"))
  func `while disabled nothing shows`() {
    var state = ActivityState()
    state.increment()
    look(&state)
    #expect(state.phase == .notActive)
  }

  @Test(.covers("ACT-8"))
  func `disabling hides at once, and enabling looks at what is going on`() throws {
    var state = try active()
    state.enable(false)
    #expect(state.phase == .notActive && !state.isVisible)
    look(&state)
    state.enable(true)
    _ = try timer(&state)
    #expect(state.phase == .delayingStart)
  }

  @Test(.covers("ACT-10"))
  func `a task counts once, whatever it goes through`() {
    var state = ActivityState()
    state.begin(ObjectIdentifier(one))
    state.begin(ObjectIdentifier(one))
    state.begin(ObjectIdentifier(other))
    #expect(state.count == 2)
    state.end(ObjectIdentifier(one))
    state.end(ObjectIdentifier(one))
    #expect(state.count == 1)
    state.decrement()
    #expect(state.count == 1)
  }
}

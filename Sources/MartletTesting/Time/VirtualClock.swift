import EssentialFoundation
import MartletCore

/// A clock for tests: its time passes only when everything waits for it, and then at once.
///
///     let clock = VirtualClock()
///     let api = HTTPSessionManager(baseURL: url) {
///       $0.resilience = .standard
///       $0.resilience.clock = ResilienceClock(clock)
///     }
///     _ = try? await api.get("users/7", as: User.self)    // takes no time, whatever the pauses between attempts
///     #expect(clock.now.offset < .seconds(1))
///
/// When several tasks wait at different times, each calls ``join()`` before it begins and ``leave()`` at its end. The
/// time then passes only when all of them sleep. Without that, every sleep ends at once.
///
/// Where a test decides when time passes, the clock is manual:
///
///     let clock = VirtualClock(isManual: true)
///     async let user = api.get("users/7", as: User.self)    // the server answers after 60 ms of this clock
///     try await clock.waitForSleepers(1)
///     clock.advance(by: .milliseconds(60))
public final class VirtualClock: Clock, Sendable {
  /// A time of a virtual clock.
  public struct Instant: InstantProtocol {
    /// The time since the clock was made.
    public let offset: Duration

    /// Returns the time that is later by `duration`.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// Returns the time from here to another time.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// Whether the first time is earlier.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct State {
    let isManual: Bool
    var now = Duration.zero
    var participants = 0
    /// When the sleeps end that are under way.
    var ends: [Duration] = []

    /// Lets the time pass until the first sleep ends, if everything sleeps.
    mutating func passIfIdle() {
      guard !isManual, ends.count >= participants, let first = ends.min() else { return }
      pass(until: first)
    }

    mutating func pass(until time: Duration) {
      now = max(now, time)
      ends.removeAll { $0 <= now }
    }
  }

  private let state: AwaitableValue<State>

  /// A clock whose time begins at zero.
  ///
  /// - Parameter isManual: Whether time passes only with ``advance(by:)``. The default is false.
  public init(isManual: Bool = false) {
    state = AwaitableValue(State(isManual: isManual))
  }

  /// The time.
  public var now: Instant { Instant(offset: state.current.now) }

  /// The smallest difference between two times: 1 ns.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Adds a task for whose sleep the time waits.
  public func join() {
    state.update { $0.participants += 1 }
  }

  /// Removes a task that has joined.
  public func leave() {
    state.update { state in
      state.participants -= 1
      state.passIfIdle()
    }
  }

  /// Waits until a time.
  ///
  /// - Parameters:
  ///   - deadline: The time.
  ///   - tolerance: Not used: each wait is exact.
  /// - Throws: `CancellationError` if the task is cancelled before.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    let end = deadline.offset
    state.update { state in
      guard end > state.now else { return }
      state.ends.append(end)
      state.passIfIdle()
    }
    do {
      try await state.waitWithoutLimit { $0.now >= end }
    } catch {
      state.update { state in
        if let index = state.ends.firstIndex(of: end) { state.ends.remove(at: index) }
      }
      throw error
    }
  }

  // MARK: Manual clocks

  /// Lets time pass, and ends the sleeps that end in it.
  ///
  /// - Parameter duration: The time that passes.
  public func advance(by duration: Duration) {
    state.update { $0.pass(until: $0.now + duration) }
  }

  /// Waits until a number of sleeps, or more, are under way, so that a test advances the time when its tasks wait for it.
  ///
  /// - Parameter count: The number of sleeps.
  /// - Throws: `MartletError` with code `.timedOut` after one minute; `CancellationError`.
  public func waitForSleepers(_ count: Int) async throws {
    try await state.wait(within: .seconds(60)) {
      "\($0.ends.count) tasks sleep instead of \(count) after one minute: they wait for something other than this clock."
    } until: {
      $0.ends.count >= count
    }
  }
}

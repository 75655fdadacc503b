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

  private struct Sleeper {
    let id: UInt64
    let end: Duration
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Duration.zero
    var participants = 0
    /// Those that wait, the one whose wait ends last first.
    var sleepers: [Sleeper] = []
    var lastID: UInt64 = 0
  }

  private let state = Locked(State())

  /// A clock whose time begins at zero.
  public init() {}

  /// The time.
  public var now: Instant { Instant(offset: state.withLock { $0.now }) }

  /// The smallest difference between two times: 1 ns.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Adds a task for whose sleep the time waits.
  public func join() {
    state.withLock { $0.participants += 1 }
  }

  /// Removes a task that has joined.
  public func leave() {
    change { $0.participants -= 1 }
  }

  /// Waits until a time.
  ///
  /// - Parameters:
  ///   - deadline: The time.
  ///   - tolerance: Not used: each wait is exact.
  /// - Throws: `CancellationError` if the task is cancelled before.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = change { state in
          // A task is marked as cancelled before its cancellation handler runs.
          guard !Task.isCancelled else { return true }
          let sleeper = Sleeper(id: id, end: deadline.offset, continuation: continuation)
          let place = state.sleepers.firstIndex { $0.end <= sleeper.end }
          state.sleepers.insert(sleeper, at: place ?? state.sleepers.endIndex)
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        let place = state.sleepers.firstIndex { $0.id == id }
        return place.map { state.sleepers.remove(at: $0) }
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Changes the state, and wakes the next task if all of them sleep then.
  @discardableResult
  private func change<Value>(_ change: (inout State) -> Value) -> Value {
    let (value, woken) = state.withLock { state in
      let value = change(&state)
      let isIdle = !state.sleepers.isEmpty && state.sleepers.count >= state.participants
      let sleeper = isIdle ? state.sleepers.popLast() : nil
      if let sleeper { state.now = max(state.now, sleeper.end) }
      return (value, sleeper)
    }
    woken?.continuation.resume()
    return value
  }
}

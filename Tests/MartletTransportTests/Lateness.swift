import EssentialFoundation
import NIOPosix

@testable import MartletTransport

/// Does some work, and measures how late the machine wakes tasks meanwhile.
///
/// - Parameters:
///   - ofLoops: Whether tasks on the event loops that servers and engines share are measured, too. Work that must not hold a loop up
///     is measured without. The default is false.
///   - work: The work.
/// - Returns: The result of the work, and the longest delay.
/// - Throws: What the work throws.
func measuringLateness<Value>(
  ofLoops: Bool = false, _ work: () async throws -> Value
) async rethrows -> (value: Value, lateness: Duration) {
  let loops = ofLoops ? Array(MultiThreadedEventLoopGroup.singleton.makeIterator()) : []
  let meters = [LatenessMeter(on: nil)] + loops.map { LatenessMeter(on: EngineExecutor(loop: $0)) }
  defer { for meter in meters { meter.stop() } }
  let value = try await work()
  return (value, meters.map(\.latest).max() ?? .zero)
}

/// Measures how late an executor wakes a task that sleeps again and again.
private struct LatenessMeter {
  private static let pause = Duration.milliseconds(5)

  private let state: Locked<(begun: ContinuousClock.Instant, latest: Duration)>
  private let sleeper: Task<Void, Never>

  init(on executor: (any TaskExecutor)?) {
    let state = Locked((begun: ContinuousClock.now, latest: Duration.zero))
    self.state = state
    sleeper = Task(executorPreference: executor) {
      while !Task.isCancelled {
        state.withLock { $0.begun = .now }
        try? await Task.sleep(for: Self.pause)
        state.withLock { $0.latest = max($0.latest, $0.begun.duration(to: .now) - Self.pause) }
      }
    }
  }

  /// The longest delay so far, which may not be over.
  var latest: Duration {
    let (begun, latest) = state.current
    return max(latest, begun.duration(to: .now) - Self.pause)
  }

  func stop() { sleeper.cancel() }
}

import EssentialFoundation
import NIOCore
import NIOPosix

@testable import MartletTransport

/// Does some work, and measures how late the machine wakes tasks meanwhile.
///
/// - Parameters:
///   - ofLoops: Whether tasks on the event loops that servers, peers and engines share are measured, too. Work that must not hold a
///     loop up is measured without. The default is false.
///   - own: Loops of the test's own that are measured as well. The default is none.
///   - work: The work.
/// - Returns: The result of the work, and the longest delay.
/// - Throws: What the work throws.
func measuringLateness<Value, Failure: Error>(
  ofLoops: Bool = false, and own: [any EventLoopGroup] = [],
  _ work: () async throws(Failure) -> Value
) async throws(Failure) -> (value: Value, lateness: Duration) {
  let shared = ofLoops ? [MultiThreadedEventLoopGroup.singleton, FramePeer.loops] : []
  let loops = (own + shared).flatMap { Array($0.makeIterator()) }
  let meters =
    [LatenessMeter(on: nil)]
    + loops.map { LatenessMeter(on: EngineExecutor(loop: $0, outsideWork: OutsideWork())) }
  let result: Result<Value, Failure>
  do throws(Failure) { result = .success(try await work()) } catch { result = .failure(error) }
  let lateness = meters.map(\.latest).max() ?? .zero
  for meter in meters { await meter.stop() }
  return (try result.get(), lateness)
}

/// Repeats work that fails while the machine wakes tasks late: an engine cannot tell a server that is silent from one that is kept from
/// running.
///
/// - Parameters:
///   - bound: A delay that can make the work fail.
///   - loops: Loops of the test's own. Those that servers, peers and engines share are measured in any case. The default is none.
///   - work: The work, in an environment of its own. It is done at most 30 times.
/// - Returns: The result of the work.
/// - Throws: What the work throws when nothing was late, or the last time.
func unlessLate<Value>(
  by bound: Duration, on loops: [any EventLoopGroup] = [], _ work: () async throws -> Value
) async throws -> Value {
  for _ in 1..<30 {
    let (result, lateness) = await measuringLateness(ofLoops: true, and: loops) {
      () -> Result<Value, any Error> in
      do { return .success(try await work()) } catch { return .failure(error) }
    }
    if case .failure = result, lateness >= bound { continue }
    return try result.get()
  }
  return try await work()
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

  func stop() async {
    sleeper.cancel()
    await sleeper.value
  }
}

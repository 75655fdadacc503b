import EssentialFoundation

@testable import Martlet
@testable import MartletEssentials

/// A clock that stands until a test moves it.
final class ManualSchedule: ActivitySchedule {
  private struct Work: Sendable {
    var time: Duration
    var run: @Sendable () -> Void
  }

  private struct State {
    var now = Duration.zero
    var works: [Work] = []
  }

  private let state = Locked(State())

  /// How much there is to do, sooner or later.
  var pending: Int { state.withLock { $0.works.count } }

  func run(_ work: @escaping @Sendable () -> Void) {
    run(after: .zero, work)
  }

  func run(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
    state.withLock { $0.works.append(Work(time: $0.now + delay, run: work)) }
  }

  /// Moves the clock, and does what is due on the way, in order.
  func advance(by time: Duration = .zero) {
    let end = state.withLock { $0.now } + time
    while let work = next(until: end) { work.run() }
    state.withLock { $0.now = end }
  }

  private func next(until end: Duration) -> Work? {
    state.withLock { state in
      guard let time = state.works.map(\.time).min(), time <= end,
        let index = state.works.firstIndex(where: { $0.time == time })
      else { return nil }
      state.now = time
      return state.works.remove(at: index)
    }
  }
}

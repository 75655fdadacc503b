import EssentialFoundation
import Martlet

@testable import MartletImages

/// Memory that a test can let run short.
final class ManualMemory: MemoryPressureSource {
  private final class Watch: MemoryPressureMonitor {
    let report: @Sendable () -> Void
    let end: @Sendable () -> Void

    init(_ report: @escaping @Sendable () -> Void, end: @escaping @Sendable () -> Void) {
      self.report = report
      self.end = end
    }

    deinit { end() }
  }

  private struct State {
    var watches = 0
    var report: (@Sendable () -> Void)?
  }

  let isObservable: Bool
  private let state = Locked(State())

  init(isObservable: Bool = true) {
    self.isObservable = isObservable
  }

  /// How many watch.
  var watches: Int { state.withLock { $0.watches } }

  func monitor(_ report: @escaping @Sendable () -> Void) -> (any MemoryPressureMonitor)? {
    guard isObservable else { return nil }
    state.withLock { state in
      state.watches += 1
      state.report = report
    }
    return Watch(report) { [state] in state.withLock { $0.watches -= 1 } }
  }

  func runShort() {
    state.withLock { $0.report }?()
  }
}

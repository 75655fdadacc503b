import EssentialFoundation
import NIOCore

/// Counts the work on other threads that schedules something on an event loop: callers that wait for a loop or decide where a body
/// goes, and what schedules something when it ends.
///
/// SwiftNIO does not allow this for a loop that has been shut down, so that a program may shut its own loops down only when this work
/// has ended. Work that begins later must look first whether the loop is still used.
package final class OutsideWork: Sendable {
  private struct State {
    var count = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  /// Work that has not ended, as long as something refers to it. The closure that is scheduled does, so that the work also ends when a
  /// loop that has been shut down drops the closure.
  final class Token: Sendable {
    private let work: OutsideWork

    fileprivate init(_ work: OutsideWork) {
      self.work = work
      work.add()
    }

    deinit {
      work.remove()
    }

    /// Schedules what follows the work on the event loop. The work has ended when that has run.
    func end(on loop: any EventLoop, _ next: @escaping @Sendable () -> Void) {
      loop.execute { withExtendedLifetime(self) { next() } }
    }
  }

  private let state = Locked(State())

  package init() {}

  func begin() -> Token { Token(self) }

  /// Whether there is no such work.
  var isIdle: Bool { state.withLock { $0.count == 0 } }

  /// Waits until there is no such work.
  func waitUntilIdle() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.count > 0 { state.waiting.append(continuation) }
        return state.count == 0
      }
      if isOver { continuation.resume() }
    }
  }

  private func add() {
    state.withLock { $0.count += 1 }
  }

  private func remove() {
    let waiting = state.withLock { state in
      state.count -= 1
      guard state.count == 0 else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}

import EssentialFoundation
import NIOCore

/// The tasks for whose answers TLS waits in one handshake. They end with it.
package final class HandshakeTasks: Sendable {
  private struct State {
    var tasks: [Task<Void, Never>] = []
    var isOver = false
  }

  private let state = Locked(State())
  private let outsideWork: OutsideWork

  /// - Parameter outsideWork: Counts the tasks that have not ended.
  package init(countedIn outsideWork: OutsideWork) {
    self.outsideWork = outsideWork
  }

  /// Runs a closure as a task outside the event loop.
  ///
  /// - Parameters:
  ///   - promise: Receives the answer.
  ///   - body: The closure, which returns the answer.
  func run<Answer: Sendable>(
    for promise: EventLoopPromise<Answer>, _ body: @escaping @Sendable () async throws -> Answer
  ) {
    let token = outsideWork.begin()
    promise.futureResult.whenComplete { _ in withExtendedLifetime(token) {} }
    let task = promise.completeWithTask(body)
    let isOver = state.withLock { state in
      state.tasks.append(task)
      return state.isOver
    }
    if isOver { task.cancel() }
  }

  /// Cancels the tasks, even those that have not started yet.
  func cancel() {
    let tasks = state.withLock { state in
      state.isOver = true
      defer { state.tasks = [] }
      return state.tasks
    }
    tasks.forEach { $0.cancel() }
  }
}

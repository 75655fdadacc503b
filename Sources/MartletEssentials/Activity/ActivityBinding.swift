import EssentialFoundation
import MartletCore

/// Shows whether a task is under way, for a spinner for example.
///
///     let binding = ActivityBinding { [weak spinner] isBusy in
///       isBusy ? spinner?.startAnimating() : spinner?.stopAnimating()
///     }
///     binding.bind(to: task)
///
/// The view keeps the binding, whose closure refers to the view weakly. Releasing the binding ends it (UIX-11).
public final class ActivityBinding: Sendable {
  private struct State {
    var observation: TaskObservation?
    var task: ObjectIdentifier?
    var isBusy: Bool?
  }

  private let show: @MainActor @Sendable (Bool) -> Void
  private let state = Locked(State())

  /// A binding that is bound to no task yet.
  ///
  /// - Parameter show: Called with whether the task is under way, first after binding, then after each change.
  public init(_ show: @escaping @MainActor @Sendable (_ isBusy: Bool) -> Void) {
    self.show = show
  }

  /// Binds to a task in any state, in place of the previous one. For a task that is over, the closure is not called
  /// (UIX-12).
  ///
  /// - Parameter task: A task that was made with a completion; `nil` to bind to none.
  public func bind(to task: SessionTask?) {
    let live = task.flatMap { $0.state == .completed ? nil : $0 }
    let observation = live.map { task in
      TaskObservation(of: task) { [weak self] task, _ in self?.updateSoon(task) }
    }
    // The old observation is released outside the lock, because its `deinit` takes another lock.
    _ = state.withLock { state in
      defer {
        state = State(observation: observation, task: live.map { ObjectIdentifier($0) })
      }
      return state.observation
    }
    if let live { updateSoon(live) }
  }

  private func updateSoon(_ task: SessionTask) {
    DispatchQueue.main.async { [weak self] in self?.update(task) }
  }

  /// Shows the task's current state, which may be newer than the notice; called on the main queue (UIX-14).
  private func update(_ task: SessionTask) {
    let isBusy = task.state == .running
    let hasChanged = state.withLock { state in
      guard state.task == ObjectIdentifier(task), state.isBusy != isBusy else { return false }
      state.isBusy = isBusy
      return true
    }
    if hasChanged { MainActor.assumeIsolated { show(isBusy) } }
  }
}

import EssentialFoundation
import Foundation
import MartletCore
public import MartletEssentials

/// Reports the progress of a task, for example to a progress bar.
///
///     let binding = ProgressBinding { [weak bar] fraction in bar?.progress = fraction }
///     binding.bindToDownload(of: task)
///
/// The view keeps the binding, and the closure refers to the view weakly. The binding lasts as long as the task
/// (UIX-16).
public final class ProgressBinding: Sendable {
  /// Returns the number of transferred bytes, and the total; `nil` for an unknown total.
  private typealias Count = @Sendable (SessionTask) -> (Int64, of: Int64?)

  private struct State {
    /// Distinguishes the current binding from earlier ones.
    var number = 0
    var isUpdatePending = false
  }

  private let show: @MainActor @Sendable (Double) -> Void
  private let state = Locked(State())

  /// A binding that is bound to no task yet.
  ///
  /// - Parameter show: Called on the main queue with the completed fraction, 0 … 1, after it has changed. Several
  ///   changes may be combined into one call. It is not called while the total is not known (UIX-15).
  public init(_ show: @escaping @MainActor @Sendable (_ fractionCompleted: Double) -> Void) {
    self.show = show
  }

  /// Binds to the upload of a task, in place of an earlier binding. A task that has ended is ignored.
  public func bindToUpload(of task: SessionTask) {
    bind(to: task) { ($0.countOfBytesSent, $0.countOfBytesExpectedToSend) }
  }

  /// Binds to the download of a task, in place of an earlier binding. A task that has ended is ignored.
  public func bindToDownload(of task: SessionTask) {
    bind(to: task) { ($0.countOfBytesReceived, $0.countOfBytesExpectedToReceive) }
  }

  private func bind(to task: SessionTask, _ count: @escaping Count) {
    guard task.state != .completed else { return }
    let number = state.withLock { state in
      state = State(number: state.number + 1)
      return state.number
    }
    task.call.observe(.progress) { [weak self, weak task] event in
      switch event.kind {
      case .bodySent, .downloadResumed, .bodyReceived:
        if let task { self?.update(task, count, number) }
      default: break
      }
    }
  }

  /// Schedules an update on the main queue, unless one is pending.
  private func update(_ task: SessionTask, _ count: @escaping Count, _ number: Int) {
    let isFirst = state.withLock { state in
      guard state.number == number, !state.isUpdatePending else { return false }
      state.isUpdatePending = true
      return true
    }
    guard isFirst else { return }
    DispatchQueue.main.async { [weak self] in
      guard let self, isBound(number) else { return }
      let (done, whole) = count(task)
      guard let whole, whole > 0 else { return }
      MainActor.assumeIsolated { self.show(min(Double(done) / Double(whole), 1)) }
    }
  }

  private func isBound(_ number: Int) -> Bool {
    state.withLock { state in
      guard state.number == number else { return false }
      state.isUpdatePending = false
      return true
    }
  }
}

public import EssentialFoundation
import MartletCore

/// Says when to show that the network is busy: not for what is over in a moment, and without flickering between
/// two requests.
///
///     let indicator = NetworkActivityIndicatorManager.shared
///     indicator.onVisibilityChange = { isVisible in spinner.isHidden = !isVisible }
///     indicator.isEnabled = true
///
/// It counts the tasks of all sessions that were made with a completion (ACT-1). An async call hands out no task:
/// put it into ``withActivity(_:)``.
///
/// Safe to use from any thread.
public final class NetworkActivityIndicatorManager: Sendable {
  /// Called when the indicator is to be shown, and when it is to be hidden.
  public typealias VisibilityHandler = @Sendable (_ isVisible: Bool) -> Void

  private struct State {
    var activity = ActivityState()
    var onVisibilityChange: VisibilityHandler?
    /// What the closure was told last.
    var isShown = false
  }

  private let state = Locked(State())
  private let counts = ObservableValue(0)
  private let schedule: any ActivitySchedule
  private let observation = Locked<TaskObservation?>(nil)

  /// One for the whole process. It is not enabled.
  public static let shared = NetworkActivityIndicatorManager()

  /// A manager, which is not enabled.
  ///
  /// - Parameters:
  ///   - queue: Where it does its work and calls its closure, a serial queue. The default is the main queue.
  ///   - isCounted: Whether a task counts. The default counts all.
  public convenience init(
    queue: DispatchQueue = .main,
    counting isCounted: @escaping @Sendable (SessionTask) -> Bool = { _ in true }
  ) {
    self.init(QueueSchedule(queue: queue), counting: isCounted)
  }

  init(
    _ schedule: any ActivitySchedule, counting isCounted: @escaping @Sendable (SessionTask) -> Bool
  ) {
    self.schedule = schedule
    let listening = TaskObservation(of: nil) { [weak self] task, notice in
      guard isCounted(task) else { return }
      self?.count { activity in
        let identifier = ObjectIdentifier(task)
        notice == .resumed ? activity.begin(identifier) : activity.end(identifier)
      }
    }
    observation.withLock { $0 = listening }
  }

  // MARK: Settings

  /// Whether the indicator may show. The default is false.
  ///
  /// Disabled, it hides at once, of which the closure is told next; the count goes on. Enabled, it shows activity
  /// that is already going on, after the delay (in place of ACT-8).
  public var isEnabled: Bool {
    get { state.current.activity.isEnabled }
    set {
      state.withLock { $0.activity.enable(newValue) }
      schedule.soon { [weak self] in self?.evaluate() }
    }
  }

  /// How long something has to be under way before the indicator shows. The default is 1 s.
  public var activationDelay: Duration {
    get { state.current.activity.activationDelay }
    set { state.withLock { $0.activity.activationDelay = newValue } }
  }

  /// How long nothing has to be under way before the indicator hides. The default is 170 ms.
  public var completionDelay: Duration {
    get { state.current.activity.completionDelay }
    set { state.withLock { $0.activity.completionDelay = newValue } }
  }

  /// Called on the manager's queue, once with true and once with false for each time that the indicator shows
  /// (ACT-7). The default is `nil`.
  public var onVisibilityChange: VisibilityHandler? {
    get { state.current.onVisibilityChange }
    set {
      // The old one goes behind the lock: what it holds on to may do anything when it is freed.
      _ = state.withLock { state in
        defer { state.onVisibilityChange = newValue }
        return state.onVisibilityChange
      }
    }
  }

  /// Whether the indicator shows.
  public var isNetworkActivityIndicatorVisible: Bool { state.current.activity.isVisible }

  // MARK: Counting

  /// How much is under way: tasks, and what was counted by hand.
  public var activityCount: Int { counts.current }
  /// The count as it is now, and then each that it becomes, until the manager is gone; a slow reader gets the
  /// newest only (ACT-12).
  public var activityCountUpdates: AsyncStream<Int> { counts.updates }

  /// Counts one more thing that is under way.
  public func incrementActivityCount() {
    count { $0.increment() }
  }

  /// Counts one thing less of those counted by hand; there are never fewer than none (ACT-2).
  public func decrementActivityCount() {
    count { $0.decrement() }
  }

  /// Counts as activity for as long as `work` takes.
  ///
  /// - Parameter work: What to do, such as an async call.
  /// - Returns: What `work` returns.
  /// - Throws: What `work` throws.
  public func withActivity<Value>(_ work: () async throws -> Value) async rethrows -> Value {
    incrementActivityCount()
    defer { decrementActivityCount() }
    return try await work()
  }

  private func count(_ change: (inout ActivityState) -> Void) {
    state.withLock { state in
      change(&state.activity)
      counts.set(state.activity.count)
    }
    schedule.soon { [weak self] in self?.evaluate() }
  }

  // MARK: Showing, on the queue

  private func evaluate() {
    if let timer = state.withLock({ $0.activity.evaluate() }) {
      schedule.after(timer.delay) { [weak self] in self?.timeIsUp(timer) }
    }
    notifyVisibility()
  }

  private func timeIsUp(_ timer: ActivityState.Timer) {
    state.withLock { $0.activity.timerFired(timer) }
    // What has changed meanwhile was of no interest then, and may be now.
    evaluate()
  }

  private func notifyVisibility() {
    let (isNews, isVisible, handler) = state.withLock { state in
      let isVisible = state.activity.isVisible
      defer { state.isShown = isVisible }
      return (isVisible != state.isShown, isVisible, state.onVisibilityChange)
    }
    if isNews { handler?(isVisible) }
  }
}

/// When the indicator does its work, one piece after another: a queue, or a test's clock.
protocol ActivitySchedule: Sendable {
  /// Does `work` after what is waiting.
  func soon(_ work: @escaping @Sendable () -> Void)
  /// Does `work` when some time has passed.
  func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void)
}

/// The work of an indicator on a queue.
struct QueueSchedule: ActivitySchedule {
  let queue: DispatchQueue

  func soon(_ work: @escaping @Sendable () -> Void) {
    queue.async(execute: work)
  }

  func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + delay / .seconds(1), execute: work)
  }
}

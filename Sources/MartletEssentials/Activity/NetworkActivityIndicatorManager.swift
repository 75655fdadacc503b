public import EssentialFoundation
import MartletCore

/// Reports when to show that the network is busy: not for short requests, and without flickering between two requests.
///
///     let indicator = NetworkActivityIndicatorManager.shared
///     indicator.onVisibilityChange = { isVisible in spinner.isHidden = !isVisible }
///     indicator.isEnabled = true
///
/// It counts the tasks that were made with a completion, of all sessions (ACT-1). Async calls are not counted: put
/// them into ``withActivity(_:)``.
///
/// Safe to use from any thread.
public final class NetworkActivityIndicatorManager: Sendable {
  /// Called when the indicator must be shown, and when it must be hidden.
  public typealias VisibilityHandler = @Sendable (_ isVisible: Bool) -> Void

  private struct State {
    var activity = ActivityState()
    var onVisibilityChange: VisibilityHandler?
    /// The value that the closure was last called with.
    var isShown = false
  }

  private let state = Locked(State())
  private let counts = ObservableValue(0)
  private let schedule: any ActivitySchedule
  private let observation = Locked<TaskObservation?>(nil)

  /// The shared manager of the process. It is not enabled at first.
  public static let shared = NetworkActivityIndicatorManager()

  /// A manager, which is not enabled at first.
  ///
  /// - Parameters:
  ///   - queue: The serial queue on which it works and calls its closure. The default is the main queue.
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
  /// When it is set to false, the indicator hides at once, then the closure is called; counting continues. When it is
  /// set to true, activity that is already under way is shown after the delay (ACT-8 differs: there it is shown only
  /// after the count has changed).
  public var isEnabled: Bool {
    get { state.current.activity.isEnabled }
    set {
      state.withLock { $0.activity.enable(newValue) }
      schedule.run { [weak self] in self?.evaluate() }
    }
  }

  /// How long there must be activity before the indicator shows. The default is 1 s.
  public var activationDelay: Duration {
    get { state.current.activity.activationDelay }
    set { state.withLock { $0.activity.activationDelay = newValue } }
  }

  /// How long there must be no activity before the indicator hides. The default is 170 ms.
  public var completionDelay: Duration {
    get { state.current.activity.completionDelay }
    set { state.withLock { $0.activity.completionDelay = newValue } }
  }

  /// Called on the manager's queue with true when the indicator shows, and with false when it hides (ACT-7). The
  /// default is `nil`.
  public var onVisibilityChange: VisibilityHandler? {
    get { state.current.onVisibilityChange }
    set {
      // The old closure is released outside the lock: the objects that it retains may run any code in `deinit`.
      _ = state.withLock { state in
        defer { state.onVisibilityChange = newValue }
        return state.onVisibilityChange
      }
    }
  }

  /// Whether the indicator shows.
  public var isNetworkActivityIndicatorVisible: Bool { state.current.activity.isVisible }

  // MARK: Counting

  /// The number of activities under way: tasks, and those counted by hand.
  public var activityCount: Int { counts.current }
  /// The current count, then each new count, until the manager is released. A slow reader receives only the newest
  /// (ACT-12).
  public var activityCountUpdates: AsyncStream<Int> { counts.updates }

  /// Counts one more activity by hand.
  public func incrementActivityCount() {
    count { $0.increment() }
  }

  /// Subtracts one from the activities counted by hand. Their number never falls below zero (ACT-2).
  public func decrementActivityCount() {
    count { $0.decrement() }
  }

  /// Counts one activity while `work` runs.
  ///
  /// - Parameter work: The work to run, such as an async call.
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
    schedule.run { [weak self] in self?.evaluate() }
  }

  // MARK: Showing, on the queue

  private func evaluate() {
    if let timer = state.withLock({ $0.activity.evaluate() }) {
      schedule.run(after: timer.delay) { [weak self] in self?.timerFired(timer) }
    }
    notifyVisibility()
  }

  private func timerFired(_ timer: ActivityState.Timer) {
    state.withLock { $0.activity.timerFired(timer) }
    // A change of the count during the delay was ignored, but may matter now.
    evaluate()
  }

  private func notifyVisibility() {
    let (hasChanged, isVisible, handler) = state.withLock { state in
      let isVisible = state.activity.isVisible
      defer { state.isShown = isVisible }
      return (isVisible != state.isShown, isVisible, state.onVisibilityChange)
    }
    if hasChanged { handler?(isVisible) }
  }
}

/// Runs the indicator's work, one closure after another: on a queue, or by a test's clock.
protocol ActivitySchedule: Sendable {
  /// Runs `work` after the closures that are waiting.
  func run(_ work: @escaping @Sendable () -> Void)
  /// Runs `work` after a delay.
  func run(after delay: Duration, _ work: @escaping @Sendable () -> Void)
}

/// Runs the indicator's work on a queue.
struct QueueSchedule: ActivitySchedule {
  let queue: DispatchQueue

  func run(_ work: @escaping @Sendable () -> Void) {
    queue.async(execute: work)
  }

  func run(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + delay / .seconds(1), execute: work)
  }
}

/// The state machine of the indicator: counts the requests under way, and decides whether the indicator is visible.
///
/// | phase | when the count changes | when its timer fires |
/// |---|---|---|
/// | `notActive` | busy: `delayingStart` | |
/// | `delayingStart` | | busy: `active`, else `notActive` |
/// | `active` | idle: `delayingEnd` | |
/// | `delayingEnd` | busy: `active` | `notActive` |
struct ActivityState: Sendable {
  /// The phases of the indicator (ACT-4).
  enum Phase: Hashable, Sendable {
    case notActive, delayingStart, active, delayingEnd
  }

  /// A delay, after which `timerFired` must be called.
  struct Timer: Hashable, Sendable {
    var delay: Duration
    fileprivate var phaseNumber: Int
  }

  /// Busy time before the indicator shows, and idle time before it hides (§13.1).
  var activationDelay = Duration.seconds(1)
  var completionDelay = Duration.milliseconds(170)
  private(set) var isEnabled = false
  private(set) var phase = Phase.notActive
  /// Counts the changes of phase, so that a timer of an earlier phase is recognized by its number.
  private var phaseNumber = 0
  private var manual = 0
  private var tasks: Set<ObjectIdentifier> = []

  // MARK: Counting

  /// The number of activities under way: tasks, and those counted by hand.
  var count: Int { manual + tasks.count }
  /// Whether the indicator is visible.
  var isVisible: Bool { phase == .active || phase == .delayingEnd }

  mutating func increment() { manual += 1 }

  /// Never below zero (ACT-2).
  mutating func decrement() { manual = max(manual - 1, 0) }

  /// Each task counts once, so that a task that is suspended and then cancelled is subtracted only once (ACT-10
  /// differs: there it is subtracted twice).
  mutating func begin(_ task: ObjectIdentifier) { tasks.insert(task) }
  mutating func end(_ task: ObjectIdentifier) { tasks.remove(task) }

  // MARK: Phases

  /// Enables or disables the indicator. When disabled, it hides at once (ACT-8).
  mutating func enable(_ isEnabled: Bool) {
    self.isEnabled = isEnabled
    if !isEnabled { _ = enter(.notActive) }
  }

  /// Changes the phase according to the count (ACT-3).
  ///
  /// - Returns: A timer to start.
  mutating func evaluate() -> Timer? {
    guard isEnabled else { return nil }
    switch phase {
    case .notActive: return count > 0 ? enter(.delayingStart) : nil
    case .delayingStart: return nil
    case .active: return count > 0 ? nil : enter(.delayingEnd)
    case .delayingEnd: return count > 0 ? enter(.active) : nil
    }
  }

  /// Handles a timer that has fired. A timer of an earlier phase is ignored.
  mutating func timerFired(_ timer: Timer) {
    guard timer.phaseNumber == phaseNumber else { return }
    switch phase {
    case .delayingStart: _ = enter(count > 0 ? .active : .notActive)
    case .delayingEnd: _ = enter(.notActive)
    case .notActive, .active: break
    }
  }

  /// Enters a phase. Its timer has the current delay (ACT-6).
  private mutating func enter(_ next: Phase) -> Timer? {
    guard next != phase else { return nil }
    phase = next
    phaseNumber += 1
    switch next {
    case .delayingStart: return Timer(delay: activationDelay, phaseNumber: phaseNumber)
    case .delayingEnd: return Timer(delay: completionDelay, phaseNumber: phaseNumber)
    case .notActive, .active: return nil
    }
  }
}

/// How many requests are under way, and whether to show it: the state machine of the indicator.
///
/// | phase | when the count changes | when its time is up |
/// |---|---|---|
/// | `notActive` | busy: `delayingStart` | |
/// | `delayingStart` | | busy: `active`, else `notActive` |
/// | `active` | idle: `delayingEnd` | |
/// | `delayingEnd` | busy: `active` | `notActive` |
struct ActivityState: Sendable {
  /// Where the indicator stands (ACT-4).
  enum Phase: Hashable, Sendable {
    case notActive, delayingStart, active, delayingEnd
  }

  /// A time to wait, after which `timerFired` is to be said.
  struct Timer: Hashable, Sendable {
    var delay: Duration
    fileprivate var turn: Int
  }

  /// Busy time before the indicator shows, and idle time before it hides (§13.1).
  var activationDelay = Duration.seconds(1)
  var completionDelay = Duration.milliseconds(170)
  private(set) var isEnabled = false
  private(set) var phase = Phase.notActive
  /// Counts the changes of phase, so that the timer of an earlier one is known by its number.
  private var turn = 0
  private var manual = 0
  private var tasks: Set<ObjectIdentifier> = []

  // MARK: Counting

  /// What is under way: tasks, and what was counted by hand.
  var count: Int { manual + tasks.count }
  /// Whether the indicator is to be seen.
  var isVisible: Bool { phase == .active || phase == .delayingEnd }

  mutating func increment() { manual += 1 }

  /// Never below zero (ACT-2).
  mutating func decrement() { manual = max(manual - 1, 0) }

  /// Tasks are told apart, so that one that is suspended and then cancelled counts once (in place of ACT-10).
  mutating func begin(_ task: ObjectIdentifier) { tasks.insert(task) }
  mutating func end(_ task: ObjectIdentifier) { tasks.remove(task) }

  // MARK: Phases

  /// Switches the indicator; off, it hides at once (ACT-8).
  mutating func enable(_ isEnabled: Bool) {
    self.isEnabled = isEnabled
    if !isEnabled { _ = enter(.notActive) }
  }

  /// Looks at the count (ACT-3).
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

  /// The time of a timer is up; that of an earlier phase means nothing any more.
  mutating func timerFired(_ timer: Timer) {
    guard timer.turn == turn else { return }
    switch phase {
    case .delayingStart: _ = enter(count > 0 ? .active : .notActive)
    case .delayingEnd: _ = enter(.notActive)
    case .notActive, .active: break
    }
  }

  /// Delays count as they are now (ACT-6).
  private mutating func enter(_ next: Phase) -> Timer? {
    guard next != phase else { return nil }
    phase = next
    turn += 1
    switch next {
    case .delayingStart: return Timer(delay: activationDelay, turn: turn)
    case .delayingEnd: return Timer(delay: completionDelay, turn: turn)
    case .notActive, .active: return nil
    }
  }
}

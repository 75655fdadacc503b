import Foundation

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

import MartletCore
import NIOCore

extension Request {
  /// The time until the total time-out of the call, which begins now if it has not begun; `nil` without such a time-out.
  ///
  /// - Parameter timeouts: The time-outs of the session.
  /// - Returns: The time; negative when it is over.
  func remainingTime(default timeouts: Timeouts) -> Duration? {
    let start = call?.recordStart(at: .now()) ?? .now()
    return self.timeouts(default: timeouts).total.map { total in
      total - .nanoseconds((NIODeadline.now() - start).nanoseconds)
    }
  }
}

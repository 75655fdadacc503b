import MartletCore
import NIOCore

extension Call {
  /// The time until the total time-out of the call, which begins now if it has not begun; `nil` without such a time-out.
  ///
  /// - Parameter timeouts: The time-outs of the request.
  /// - Returns: The time; negative when it is over.
  func remainingTime(_ timeouts: Timeouts) -> Duration? {
    let start = recordStart(at: .now())
    return timeouts.total.map { $0 - .nanoseconds((NIODeadline.now() - start).nanoseconds) }
  }
}

import Foundation
import MartletCore

/// The end of a session.
extension URLSessionManager {
  /// Whether the session takes no more requests.
  public var isInvalid: Bool { registry.isInvalid }

  /// Ends the session: its connections are closed when its tasks are over, of which `onSessionInvalidation`
  /// and a notification tell (SES-L9).
  ///
  /// It may be called again: to cancel what was to be let finish, or to begin anew.
  ///
  /// - Parameters:
  ///   - cancelingTasks: Whether the tasks that are not over are cancelled, begun or not; otherwise they
  ///     are let finish (SES-L6).
  ///   - resettingSession: Whether a new session takes the place of the old one, with the same
  ///     configuration (SES-L7). The default is false: requests that are made from now on are refused, with
  ///     an error of code `.shutDown`.
  public func invalidateSession(cancelingTasks: Bool, resettingSession: Bool = false) {
    let tasks = registry.invalidate(isFinal: !resettingSession) { [weak self, runner, registry] in
      runner.queue.async { [weak self] in
        registry.hooks?.asked.onSessionInvalidation?()
        NotificationCenter.default.post(name: .sessionDidInvalidate, object: self)
      }
    }
    policy.withLock { policy in
      runner.resetRoute()
      runner.route.engine?.trust(configuration.evaluator(for: policy))
    }
    if cancelingTasks { tasks.forEach { $0.cancel() } }
    registry.settle()
  }
}

public import MartletCore

/// Observes the calls of a session: for metrics, spans, logs or an archive.
///
/// Set it as one of ``SessionConfiguration/observers``. For a single closure, ``URLSessionManager/observe(_:)`` is simpler.
public protocol SessionObserver: Sendable {
  /// Called when a task is made, with the task-local values of its maker.
  ///
  /// - Parameter task: The task, which the observer must not keep: the task keeps the observer.
  /// - Returns: The observer of the task's call; `nil` if the call is not observed.
  func observer(of task: SessionTask) -> (any CallObserver)?

  /// Returns the observer of the connections to a server; `nil` if they are not observed. The default is none.
  ///
  /// - Parameter origin: The server.
  /// - Returns: Called when a connection to the server has been opened or closed, begins to carry requests, or becomes idle.
  func connectionObserver(of origin: Origin) -> ConnectionChange.Observer?
}

extension SessionObserver {
  /// None.
  public func connectionObserver(of origin: Origin) -> ConnectionChange.Observer? { nil }
}

/// Lets the observers of a call change each request that is about to be passed to the transport.
struct ObserverInterceptor: Interceptor {
  func prepare(_ request: inout Request, context: CallContext) -> RequestPreparation {
    context.task?.call.prepare(&request)
    return .passThrough
  }
}

public import MartletCore

/// Something that happened to one of a session's tasks.
public struct TaskEvent: Sendable {
  /// The task.
  public var task: SessionTask
  /// What happened to it, or to its connection.
  public var event: Event
}

/// Where the events of a session's tasks go.
typealias TaskListener = AsyncStream<TaskEvent>.Continuation

extension URLSessionManager {
  /// Everything that happens to the tasks that are made from now on, those of async calls included; it ends
  /// with the session.
  ///
  ///     Task {
  ///       for await (task, event) in session.events.map({ ($0.task, $0.event) }) {
  ///         print(task.identifier, event)
  ///       }
  ///     }
  ///
  /// A reader that falls behind by more than 4096 events misses the oldest.
  public var events: AsyncStream<TaskEvent> {
    let (events, listener) = AsyncStream.makeStream(
      of: TaskEvent.self, bufferingPolicy: .bufferingNewest(4096))
    let number = registry.listen(listener)
    listener.onTermination = { [weak registry] _ in registry?.removeListener(number) }
    return events
  }
}

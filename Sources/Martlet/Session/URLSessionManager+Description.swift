import MartletCore

extension URLSessionManager: CustomStringConvertible, CustomReflectable {
  /// The session as text, such as `<URLSessionManager: 2 tasks>`.
  public var description: String {
    let (count, isInvalid) = (tasks.count, isInvalid)
    let tasks = count == 1 ? "1 task" : "\(count) tasks"
    return "<URLSessionManager: \(tasks)\(isInvalid ? ", invalidated" : "")>"
  }

  /// What debuggers show: settings and tasks, and nothing that an engine's thread uses.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "configuration": configuration, "tasks": tasks, "responseSerializer": responseSerializer,
      ], displayStyle: .class)
  }
}

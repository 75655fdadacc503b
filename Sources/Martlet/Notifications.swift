public import Foundation
public import MartletEssentials

/// The notifications about tasks that were made with a completion, posted on the main queue (SES §9.9).
///
/// An async call returns no task and posts no notifications. The `events` of a session include the tasks of async
/// calls.
extension Notification.Name {
  /// A task has begun, or continues; the object is the task.
  public static let sessionTaskDidResume = Notification.Name(TaskNotice.resumed.rawValue)
  /// A task is suspended; the object is the task.
  public static let sessionTaskDidSuspend = Notification.Name(TaskNotice.suspended.rawValue)
  /// A task has ended, and its completion has returned; the object is the task, and the user info has a
  /// `SessionTaskCompletion` (SES-C6).
  public static let sessionTaskDidComplete = Notification.Name(TaskNotice.completed.rawValue)
  /// A downloaded file was moved to its destination; the object is the task (SES-D5).
  public static let downloadTaskDidMoveFile = Notification.Name(TaskNotice.fileMoved.rawValue)
  /// A downloaded file could not be moved to its destination; the object is the task, and the user info has a
  /// `SessionTaskCompletion` with the error.
  public static let downloadTaskDidFailToMoveFile = Notification.Name(
    TaskNotice.fileNotMoved.rawValue)
  /// A session has been invalidated, and its last task has ended; the object is the session, if it still exists. Posted
  /// on the session's queue.
  public static let sessionDidInvalidate = Notification.Name(
    URLSessionManager.invalidationNotice)
}

extension Notification.Name {
  /// A status has been reported; the object is the `NetworkReachabilityManager`, if it still exists, and the user info
  /// has the status's raw value (RCH-8). Posted on the manager's queue.
  public static let networkReachabilityDidChange = Notification.Name(
    NetworkReachabilityManager.statusNotice)
}

extension Notification {
  /// How the task ended, in a notification named `sessionTaskDidComplete`.
  public var sessionTaskCompletion: SessionTaskCompletion? {
    userInfo?[SessionTaskCompletion.userInfoKey] as? SessionTaskCompletion
  }

  /// The status, in a notification named `networkReachabilityDidChange`.
  public var networkReachabilityStatus: NetworkReachabilityStatus? {
    (userInfo?[NetworkReachabilityManager.statusUserInfoKey] as? Int)
      .flatMap(NetworkReachabilityStatus.init)
  }
}

public import Foundation
public import MartletEssentials

/// What is posted about tasks that were made with a completion, on the main queue (SES §9.9).
///
/// An async call hands out no task, and posts nothing; `events` tells of both.
extension Notification.Name {
  /// A task has begun, or goes on; the object is the task.
  public static let sessionTaskDidResume = Notification.Name(TaskNotice.resumed.rawValue)
  /// A task is held; the object is the task.
  public static let sessionTaskDidSuspend = Notification.Name(TaskNotice.suspended.rawValue)
  /// A task is over, and its completion has returned; the object is the task, and the user info has a
  /// `SessionTaskCompletion` (SES-C6).
  public static let sessionTaskDidComplete = Notification.Name(TaskNotice.completed.rawValue)
  /// A downloaded file is where it belongs; the object is the task (SES-D5).
  public static let downloadTaskDidMoveFile = Notification.Name(TaskNotice.fileMoved.rawValue)
  /// A downloaded file could not be moved to where it belongs; the object is the task, and the user info has
  /// a `SessionTaskCompletion` with the error.
  public static let downloadTaskDidFailToMoveFile = Notification.Name(
    TaskNotice.fileNotMoved.rawValue)
  /// A session has been invalidated, and its last task is over; the object is the session, unless that is
  /// gone. Posted on the session's queue.
  public static let sessionDidInvalidate = Notification.Name(
    URLSessionManager.invalidationNotice)
}

extension Notification.Name {
  /// A status has been reported; the object is the `NetworkReachabilityManager`, unless that is gone, and the
  /// user info has the status's raw value (RCH-8). Posted on the manager's queue.
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

public import Foundation

extension Notification.Name {
  /// A status has been reported; the object is the ``NetworkReachabilityManager``, unless that is gone, and the
  /// user info has the status's raw value (RCH-8). Posted on the manager's queue.
  public static let networkReachabilityDidChange = Notification.Name(
    "martlet.networkReachabilityDidChange")
}

extension NetworkReachabilityManager {
  /// The key under which notifications carry the raw value of the status.
  public static let statusUserInfoKey = "martlet.networkReachabilityStatus"
}

extension Notification {
  /// The status, in a notification named `networkReachabilityDidChange`.
  public var networkReachabilityStatus: NetworkReachabilityStatus? {
    (userInfo?[NetworkReachabilityManager.statusUserInfoKey] as? Int)
      .flatMap(NetworkReachabilityStatus.init)
  }
}

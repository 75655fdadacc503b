extension URLSessionManager {
  /// The shared manager of reachability, for convenience: a session neither starts nor asks it (RCH-14).
  public var reachabilityManager: NetworkReachabilityManager { .shared }
}

extension HTTPSessionManager {
  /// The shared manager of reachability, for convenience: a session neither starts nor asks it (RCH-14).
  public var reachabilityManager: NetworkReachabilityManager { .shared }
}

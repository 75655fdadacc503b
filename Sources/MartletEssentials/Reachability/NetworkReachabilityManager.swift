public import EssentialFoundation
public import MartletCore

/// Tells whether the network, or one host, can be reached, over what, and when that changes.
///
///     let reachability = NetworkReachabilityManager()
///     reachability.startMonitoring()
///     for await _ in reachability.statusUpdates {
///       print(reachability.localizedNetworkReachabilityStatusString)   // Reachable via eth0 (wired)
///     }
///
/// Use it to explain failures, or to try again at the right moment; never to decide whether to try. It looks
/// at what this machine knows of links, addresses and routes, and sends nothing: whether a host answers, only
/// a request finds out.
///
/// Safe to use from any thread. A manager that is dropped stops (RCH-11).
public final class NetworkReachabilityManager: Sendable {
  /// Called with each status that is reported.
  public typealias StatusHandler = @Sendable (_ status: NetworkReachabilityStatus) -> Void

  private struct State {
    var interface: NetworkInterface?
    var onStatusChange: StatusHandler?
    var monitoring: Task<Void, Never>?
  }

  private let target: ReachabilityTarget
  private let queue: DispatchQueue
  private let source: any NetworkSource
  private let status = ObservableValue(NetworkReachabilityStatus.unknown)
  private let state = Locked(State())

  /// One for the whole process, about the default route. It is not started (RCH-14).
  public static let shared = NetworkReachabilityManager()

  /// A manager for anything that is not nearby: what the default routes lead to (RCH-3).
  ///
  /// - Parameter queue: Where the closure is called and the notification posted, a serial queue. The default is
  ///   the main queue.
  public convenience init(queue: DispatchQueue = .main) {
    self.init(.defaultRoute, queue: queue, source: SystemNetwork())
  }

  /// A manager for one host.
  ///
  /// The host's addresses are looked up when monitoring begins and when the network changes; while none is
  /// known, again after 1 s, 2 s, 4 s and so on up to 64 s. A host that cannot be looked up is not reachable.
  ///
  /// - Parameters:
  ///   - host: A name in ASCII, or an address.
  ///   - queue: Where the closure is called and the notification posted, a serial queue. The default is the main
  ///     queue.
  public convenience init(host: String, queue: DispatchQueue = .main) {
    self.init(.host(host), queue: queue, source: SystemNetwork())
  }

  /// A manager for one address.
  ///
  /// - Parameters:
  ///   - address: The address; its port means nothing here.
  ///   - queue: Where the closure is called and the notification posted, a serial queue. The default is the main
  ///     queue.
  public convenience init(address: IPAddress, queue: DispatchQueue = .main) {
    self.init(.address(address), queue: queue, source: SystemNetwork())
  }

  init(_ target: ReachabilityTarget, queue: DispatchQueue, source: any NetworkSource) {
    self.target = target
    self.queue = queue
    self.source = source
  }

  deinit {
    state.current.monitoring?.cancel()
  }

  // MARK: Status

  /// The status that was reported last; `.unknown` before any was (RCH-1).
  public var networkReachabilityStatus: NetworkReachabilityStatus { status.current }
  /// The status in words, with what packets leave through where that is known: `Reachable via eth0 (wired)`.
  ///
  /// A strings table named `Martlet` in the main bundle may have other words, those for `Reachable via %@` among
  /// them.
  public var localizedNetworkReachabilityStatusString: String {
    networkReachabilityStatus.localizedDescription(through: interface)
  }
  /// Whether the target can be reached, as far as is known (RCH-4).
  public var isReachable: Bool { networkReachabilityStatus.isReachable }
  /// Whether the target is reached over a mobile network.
  public var isReachableViaCellular: Bool { networkReachabilityStatus.isReachableViaCellular }
  /// Whether the target is reached over anything but a mobile network.
  public var isReachableViaWiFi: Bool { networkReachabilityStatus.isReachableViaWiFi }
  /// What packets to the target leave through; `nil` when they do not, or nothing is known.
  public var interface: NetworkInterface? { state.current.interface }

  /// The status as it is now, and then each that it becomes, until the manager is gone; a slow reader gets the
  /// newest only (RCH-13).
  public var statusUpdates: AsyncStream<NetworkReachabilityStatus> { status.updates }

  /// Called on the manager's queue with each status that is reported (RCH-15). The default is `nil`.
  ///
  /// One is reported soon after `startMonitoring()`, and then each that differs from the one before (in place
  /// of RCH-9).
  public var onStatusChange: StatusHandler? {
    get { state.current.onStatusChange }
    set {
      // The old one goes behind the lock: what it holds on to may do anything when it is freed.
      _ = state.withLock { state in
        defer { state.onStatusChange = newValue }
        return state.onStatusChange
      }
    }
  }

  // MARK: Monitoring

  /// Begins to watch, anew if it does already (RCH-6).
  ///
  /// - Returns: Whether the system lets itself be watched; if not, nothing is reported (RCH-7).
  @discardableResult
  public func startMonitoring() -> Bool {
    stopMonitoring()
    guard let snapshots = source.snapshots() else { return false }
    let monitor = ReachabilityMonitor(target: target)
    let queue = queue
    replaceMonitoring(
      with: Task(priority: .utility) { [weak self] in
        await monitor.run(over: snapshots) { [weak self] report in
          queue.async { [weak self] in Self.deliver(report, to: self) }
        }
      })
    return true
  }

  /// Stops watching. The last status stays, and so does the closure; a report that is on its way may still
  /// arrive (RCH-11).
  public func stopMonitoring() {
    replaceMonitoring(with: nil)
  }

  private func replaceMonitoring(with new: Task<Void, Never>?) {
    let old = state.withLock { state in
      defer { state.monitoring = new }
      return state.monitoring
    }
    old?.cancel()
  }

  /// Stores, calls, posts, in this order (RCH-8); for a manager that is gone, only posts (RCH-10).
  static func deliver(
    _ report: ReachabilityState.Report, to manager: NetworkReachabilityManager?
  ) {
    manager?.state.withLock { $0.interface = report.interface }
    guard report.isStatusChange else { return }
    manager?.status.set(report.status)
    manager?.onStatusChange?(report.status)
    FoundationExtras.whole?.post(
      statusNotice, object: manager, userInfo: [statusUserInfoKey: report.status.rawValue])
  }
}

extension NetworkReachabilityManager {
  /// The key under which notifications carry the raw value of the status.
  public static let statusUserInfoKey = "martlet.networkReachabilityStatus"
  /// The name of the notification that a status has been reported.
  package static let statusNotice = "martlet.networkReachabilityDidChange"
}

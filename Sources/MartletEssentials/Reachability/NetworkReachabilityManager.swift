public import EssentialFoundation
public import MartletCore

/// Reports whether the network, or one host, can be reached, over which interface, and when that changes.
///
///     let reachability = NetworkReachabilityManager()
///     reachability.startMonitoring()
///     for await _ in reachability.statusUpdates {
///       print(reachability.localizedNetworkReachabilityStatusString)   // Reachable via eth0 (wired)
///     }
///
/// Use it to explain failures, or to retry at the right moment, but not to decide whether to send a request. It reads
/// this machine's links, addresses and routes. It sends nothing except the look-ups of a host's addresses. Only a
/// request shows whether a host answers.
///
/// Safe to use from any thread. A manager that is released stops monitoring (RCH-11).
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

  /// The shared manager of the process, for the default route. It is not started (RCH-14).
  public static let shared = NetworkReachabilityManager()

  /// A manager for the hosts to which only a default route leads (RCH-3).
  ///
  /// - Parameter queue: The serial queue on which the closure is called and the notification is posted. The default is
  ///   the main queue.
  public convenience init(queue: DispatchQueue = .main) {
    self.init(.defaultRoute, queue: queue, source: SystemNetwork())
  }

  /// A manager for one host.
  ///
  /// The host's addresses are looked up when monitoring begins and when the network changes. If a look-up fails, the
  /// addresses of an earlier look-up are used. While no address is known, the host is not reachable, and the look-up is
  /// repeated after 1 s, 2 s, 4 s and so on, up to every 64 s.
  ///
  /// - Parameters:
  ///   - host: A name in ASCII, or an address.
  ///   - queue: The serial queue on which the closure is called and the notification is posted. The default is the main
  ///     queue.
  public convenience init(host: String, queue: DispatchQueue = .main) {
    self.init(.host(host), queue: queue, source: SystemNetwork())
  }

  /// A manager for one address.
  ///
  /// - Parameters:
  ///   - address: The address; its port is ignored.
  ///   - queue: The serial queue on which the closure is called and the notification is posted. The default is the main
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

  /// The status that was reported last; `.unknown` before the first report (RCH-1).
  public var networkReachabilityStatus: NetworkReachabilityStatus { status.current }
  /// The status in words, with the interface if it is known: `Reachable via eth0 (wired)`.
  ///
  /// A strings table named `Martlet` in the main bundle may replace the words, including `Reachable via %@`.
  public var localizedNetworkReachabilityStatusString: String {
    networkReachabilityStatus.localizedDescription(through: interface)
  }
  /// Whether the target can be reached, according to the last report (RCH-4).
  public var isReachable: Bool { networkReachabilityStatus.isReachable }
  /// Whether the target is reached over a mobile network.
  public var isReachableViaCellular: Bool { networkReachabilityStatus.isReachableViaCellular }
  /// Whether the target is reached over anything but a mobile network.
  public var isReachableViaWiFi: Bool { networkReachabilityStatus.isReachableViaWiFi }
  /// The interface through which packets to the target leave; `nil` when the target cannot be reached, or before the
  /// first report.
  public var interface: NetworkInterface? { state.current.interface }

  /// The current status, then each new status, until the manager is released. A slow reader receives only the newest
  /// (RCH-13).
  public var statusUpdates: AsyncStream<NetworkReachabilityStatus> { status.updates }

  /// Called on the manager's queue with each status that is reported (RCH-15). The default is `nil`.
  ///
  /// The first status is reported soon after `startMonitoring()`, then each status that differs from the previous one
  /// (RCH-9 differs: there the same status may be reported again).
  public var onStatusChange: StatusHandler? {
    get { state.current.onStatusChange }
    set {
      // The old closure is released outside the lock: the objects that it retains may run any code in `deinit`.
      _ = state.withLock { state in
        defer { state.onStatusChange = newValue }
        return state.onStatusChange
      }
    }
  }

  // MARK: Monitoring

  /// Starts monitoring, or restarts it if it is started already (RCH-6).
  ///
  /// - Returns: Whether the system can be monitored; if not, nothing is reported (RCH-7).
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

  /// Stops monitoring. The last status and the closure are kept. A report that is already under way may still arrive
  /// (RCH-11).
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

  /// Stores the report, calls the closure, and posts the notification, in this order (RCH-8). If only the interface has
  /// changed, it only stores the report. For a manager that has been released, it only posts the notification (RCH-10).
  static func deliver(
    _ report: ReachabilityState.Report, to manager: NetworkReachabilityManager?
  ) {
    manager?.state.withLock { $0.interface = report.interface }
    guard report.isStatusChange else { return }
    manager?.status.set(report.status)
    manager?.onStatusChange?(report.status)
    FoundationExtras.current?.post(
      statusNotice, object: manager, userInfo: [statusUserInfoKey: report.status.rawValue])
  }
}

extension NetworkReachabilityManager {
  /// The key under which notifications carry the raw value of the status.
  public static let statusUserInfoKey = "martlet.networkReachabilityStatus"
  /// The name of the notification that is posted when a status is reported.
  package static let statusNotice = "martlet.networkReachabilityDidChange"
}

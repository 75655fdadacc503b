import MartletCore

/// The state machine of a target: what is known about it, and the step that follows each input.
struct ReachabilityState {
  /// An event.
  enum Input: Sendable {
    /// The current state of the network.
    case network(NetworkSnapshot)
    /// A look-up has ended with these addresses; `nil` if it has failed.
    case found([IPAddress]?)
    /// The delay after a failed look-up is over.
    case retry
  }

  /// The actions after an input.
  struct Step: Hashable {
    var report: Report?
    var lookUp: LookUp?
  }

  /// When to look the host up.
  enum LookUp: Hashable {
    case now
    /// After this time, the input `retry` must be handled.
    case later(Duration)
  }

  /// How the target is reached.
  struct Report: Hashable, Sendable {
    /// The interface; `nil` when the target cannot be reached.
    var interface: NetworkInterface?
    /// Whether the status differs from that of the last report, or this is the first report.
    var isStatusChange: Bool

    var status: NetworkReachabilityStatus { NetworkReachabilityStatus(through: interface) }
  }

  private let isNamed: Bool
  private var addresses: [[UInt8]]?
  private var snapshot: NetworkSnapshot?
  private var last: Report?
  private var isLookingUp = false
  /// Whether the network has changed since the look-up began.
  private var isOutdated = false
  private var failures = 0
  /// Whether the input `retry` is pending.
  private var isPausing = false

  init(_ target: ReachabilityTarget) {
    addresses = target.addresses
    isNamed = addresses == nil
  }

  mutating func handle(_ input: Input) -> Step {
    switch input {
    case .network(let snapshot): handle(snapshot)
    case .found(let found): handle(found)
    case .retry: retry()
    }
  }

  /// Earlier addresses are used until new ones are known, so that a change is reported at once.
  private mutating func handle(_ snapshot: NetworkSnapshot) -> Step {
    guard snapshot != self.snapshot else { return Step() }
    self.snapshot = snapshot
    return Step(report: measure(), lookUp: isNamed ? lookUp() : nil)
  }

  private mutating func handle(_ found: [IPAddress]?) -> Step {
    isLookingUp = false
    addresses = found?.map(\.routedBytes) ?? addresses ?? []
    failures = addresses?.isEmpty == true ? failures + 1 : 0
    let report = measure()
    if isOutdated { return Step(report: report, lookUp: lookUp()) }
    guard failures > 0, !isPausing else { return Step(report: report) }
    isPausing = true
    return Step(report: report, lookUp: .later(retryDelay))
  }

  private mutating func retry() -> Step {
    isPausing = false
    guard failures > 0, !isLookingUp else { return Step() }
    return Step(lookUp: lookUp())
  }

  /// Begins a look-up, one at a time. If the network changes during a look-up, the look-up is repeated.
  private mutating func lookUp() -> LookUp? {
    isOutdated = isLookingUp
    guard !isLookingUp else { return nil }
    isLookingUp = true
    return .now
  }

  /// How long to wait after a look-up that failed: 1 s, then twice as long each time, up to 64 s.
  private var retryDelay: Duration { .seconds(1 << min(failures - 1, 6)) }

  /// Returns how the target is reached, if that is known and has changed.
  private mutating func measure() -> Report? {
    guard let snapshot, let addresses else { return nil }
    let interface = snapshot.interface(towardsAnyOf: addresses)
    guard last == nil || last?.interface != interface else { return nil }
    let status = NetworkReachabilityStatus(through: interface)
    let report = Report(interface: interface, isStatusChange: last?.status != status)
    last = report
    return report
  }
}

/// The target whose reachability is monitored.
enum ReachabilityTarget: Hashable, Sendable {
  /// The hosts to which only a default route leads.
  case defaultRoute
  /// One address.
  case address(IPAddress)
  /// One host, whose addresses have to be looked up.
  case host(String)

  /// The addresses, of four bytes or sixteen each. It is enough that one can be reached. `nil` when they have to be
  /// looked up.
  var addresses: [[UInt8]]? {
    switch self {
    // The unspecified addresses, which match only the default routes (RCH-3).
    case .defaultRoute: [Array(repeating: 0, count: 16), Array(repeating: 0, count: 4)]
    case .address(let address): [address.routedBytes]
    case .host: nil
    }
  }
}

extension IPAddress {
  /// The bytes with which routes are searched: an IPv4-mapped IPv6 address is an IPv4 address (RFC 4291 §2.5.5.2).
  var routedBytes: [UInt8] {
    let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    return bytes.count == 16 && bytes.starts(with: mapped) ? Array(bytes[12...]) : bytes
  }
}

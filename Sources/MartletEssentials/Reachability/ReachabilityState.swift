import MartletCore

/// What is known about a target, and what to do about each thing that happens.
struct ReachabilityState {
  /// Something that happened.
  enum Input: Sendable {
    /// The network stands so now.
    case network(NetworkSnapshot)
    /// A look-up has ended: with these addresses, or with none.
    case found([IPAddress]?)
    /// Some time has passed since a look-up failed.
    case retry
  }

  /// What to do.
  struct Step: Hashable {
    var report: Report?
    var lookUp: LookUp?
  }

  /// When to look the host up.
  enum LookUp: Hashable {
    case now
    /// After some time, `retry` is to be said.
    case later(Duration)
  }

  /// How the target is reached.
  struct Report: Hashable, Sendable {
    /// Through what; `nil` when not at all.
    var interface: NetworkInterface?
    /// Whether the status is another than that of the last report, or this is the first.
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
  /// Whether `retry` is still to come.
  private var isPausing = false

  init(_ target: ReachabilityTarget) {
    addresses = target.addresses
    isNamed = addresses == nil
  }

  mutating func take(_ input: Input) -> Step {
    switch input {
    case .network(let snapshot): take(snapshot)
    case .found(let found): take(found)
    case .retry: retry()
    }
  }

  /// The addresses of before count until others are known, so that a change is reported at once.
  private mutating func take(_ snapshot: NetworkSnapshot) -> Step {
    guard snapshot != self.snapshot else { return Step() }
    self.snapshot = snapshot
    return Step(report: measure(), lookUp: isNamed ? lookUp() : nil)
  }

  private mutating func take(_ found: [IPAddress]?) -> Step {
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

  /// One look-up at a time; one that the network has changed under is made again.
  private mutating func lookUp() -> LookUp? {
    isOutdated = isLookingUp
    guard !isLookingUp else { return nil }
    isLookingUp = true
    return .now
  }

  /// How long to wait after a look-up that failed: 1 s, then twice as long each time, up to 64 s.
  private var retryDelay: Duration { .seconds(1 << min(failures - 1, 6)) }

  /// How the target is reached, if that is known and has changed.
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

/// What is to be reached.
enum ReachabilityTarget: Hashable, Sendable {
  /// Anything that is not nearby.
  case defaultRoute
  /// One address.
  case address(IPAddress)
  /// One host, whose addresses have to be looked up.
  case host(String)

  /// The addresses, in four bytes or sixteen each, of which one is enough; `nil` when they have to be looked
  /// up.
  var addresses: [[UInt8]]? {
    switch self {
    // The unspecified addresses, to which nothing but the default routes lead (RCH-3).
    case .defaultRoute: [Array(repeating: 0, count: 16), Array(repeating: 0, count: 4)]
    case .address(let address): [address.routedBytes]
    case .host: nil
    }
  }
}

extension IPAddress {
  /// The bytes that routes are looked up by: an IPv4 address that is written as an IPv6 one is IPv4's
  /// (RFC 4291 §2.5.5.2).
  var routedBytes: [UInt8] {
    let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    return bytes.count == 16 && bytes.starts(with: mapped) ? Array(bytes[12...]) : bytes
  }
}

import EssentialFoundation

/// Whether the network, or one host, can be reached, and over what kind of network.
public enum NetworkReachabilityStatus: Int, Hashable, Sendable {
  /// Not measured yet. No measurement has this result (RCH-5).
  case unknown = -1
  /// No route leads there.
  case notReachable = 0
  /// It can be reached over a mobile network.
  case reachableViaCellular = 1
  /// It can be reached over any network but a mobile one: Wi-Fi, a cable, a tunnel, or within this machine
  /// (RCH-5). The name is AFNetworking's.
  case reachableViaWiFi = 2

  /// Whether it can be reached at all (RCH-4).
  public var isReachable: Bool { isReachableViaCellular || isReachableViaWiFi }
  /// Whether it can be reached over a mobile network.
  public var isReachableViaCellular: Bool { self == .reachableViaCellular }
  /// Whether it can be reached over anything else.
  public var isReachableViaWiFi: Bool { self == .reachableViaWiFi }

  /// The status in words, such as `Not Reachable`.
  ///
  /// The words are AFNetworking's (RCH-12), except for `reachableViaWiFi`, which is `Reachable`: the status does not
  /// show whether Wi-Fi is used. A strings table named `Martlet` in the main bundle may replace them.
  public var localizedDescription: String { Self.localized(words) }

  /// Returns the status in words, with the interface: `Reachable via eth0 (wired)`.
  ///
  /// - Parameter interface: The interface through which packets leave; `nil` when it is not known.
  /// - Returns: The words, without the interface if there is none.
  package func localizedDescription(through interface: NetworkInterface?) -> String {
    guard isReachable, let interface else { return localizedDescription }
    return Self.localized("Reachable via %@").replacing("%@", with: "\(interface)")
  }

  private static func localized(_ words: String) -> String {
    FoundationExtras.current?.localized(words) ?? words
  }

  private var words: String {
    switch self {
    case .unknown: "Unknown"
    case .notReachable: "Not Reachable"
    case .reachableViaCellular: "Reachable via WWAN"
    case .reachableViaWiFi: "Reachable"
    }
  }

  /// The status when packets leave through `interface`, or when there is none.
  init(through interface: NetworkInterface?) {
    switch interface?.kind {
    case nil: self = .notReachable
    case .cellular: self = .reachableViaCellular
    default: self = .reachableViaWiFi
    }
  }
}

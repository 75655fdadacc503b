import Foundation

/// Whether the network, or one host, can be reached, and over what.
public enum NetworkReachabilityStatus: Int, Hashable, Sendable {
  /// Nobody has looked yet; no measurement ends so (RCH-5).
  case unknown = -1
  /// Nothing leads there.
  case notReachable = 0
  /// It can be reached over a mobile network.
  case reachableViaCellular = 1
  /// It can be reached over anything else: Wi-Fi, a cable, a tunnel, or within this machine (RCH-5).
  case reachableViaWiFi = 2

  /// Whether it can be reached at all (RCH-4).
  public var isReachable: Bool { isReachableViaCellular || isReachableViaWiFi }
  /// Whether it can be reached over a mobile network.
  public var isReachableViaCellular: Bool { self == .reachableViaCellular }
  /// Whether it can be reached over anything else.
  public var isReachableViaWiFi: Bool { self == .reachableViaWiFi }

  /// The status in words, such as `Not Reachable` (RCH-12).
  ///
  /// A strings table named `Martlet` in the main bundle may have others.
  public var localizedDescription: String {
    Bundle.main.localizedString(forKey: words, value: words, table: "Martlet")
  }

  private var words: String {
    switch self {
    case .unknown: "Unknown"
    case .notReachable: "Not Reachable"
    case .reachableViaCellular: "Reachable via WWAN"
    case .reachableViaWiFi: "Reachable via WiFi"
    }
  }

  /// What it means that packets leave through `interface`, or through none.
  init(through interface: NetworkInterface?) {
    switch interface?.kind {
    case nil: self = .notReachable
    case .cellular: self = .reachableViaCellular
    default: self = .reachableViaWiFi
    }
  }
}

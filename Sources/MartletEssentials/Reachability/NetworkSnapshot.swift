/// The state of the network at one moment: its links, addresses and routes.
struct NetworkSnapshot: Hashable, Sendable {
  var links: [Link] = []
  var addresses: [Address] = []
  var routes: [Route] = []

  /// An interface, and whether it works.
  struct Link: Hashable, Sendable {
    var index: Int32
    var interface: NetworkInterface
    /// Whether it is switched on and connected.
    var isRunning: Bool
  }

  /// An address of this machine.
  struct Address: Hashable, Sendable {
    /// The link that has it.
    var link: Int32
    /// Four bytes or sixteen.
    var bytes: [UInt8]
    /// Whether it is valid beyond its link.
    var isRoutable: Bool
  }

  /// A rule that decides how packets to a destination are sent.
  struct Route: Hashable, Sendable {
    /// How packets that match the route are handled.
    enum Outcome: Hashable, Sendable {
      /// They leave through one of these links.
      case unicast(through: [Int32])
      /// They stay on this machine.
      case local
      /// They are refused, or dropped.
      case unreachable
      /// The next table decides.
      case nextTable
    }

    var destination: AddressBlock
    var table: RouteTable
    /// Of several routes to the same destination, the one with the lowest metric is used.
    var metric: UInt32
    var outcome: Outcome
  }
}

/// A table of routes. Tables are searched in the order of their ranks.
struct RouteTable: Hashable, Comparable, Sendable {
  let number: UInt32

  /// The kernel searches the table of its own addresses first, then the main table, then the default one (ip-rule(8)).
  /// The rules that lead to other tables are not known: these tables come last.
  private var rank: Int {
    switch self {
    case .local: 0
    case .main: 1
    case .fallback: 2
    default: 3
    }
  }

  static func < (one: RouteTable, other: RouteTable) -> Bool {
    (one.rank, one.number) < (other.rank, other.number)
  }

  static let local = RouteTable(number: 255)
  static let main = RouteTable(number: 254)
  static let fallback = RouteTable(number: 253)
}

/// An interface through which packets leave this machine.
public struct NetworkInterface: Hashable, Sendable {
  /// The kinds of interfaces.
  public enum Kind: String, Hashable, Sendable {
    /// A cable, or something that behaves like one, such as a virtual machine's card.
    case wired
    /// A wireless network.
    case wifi = "Wi-Fi"
    /// A mobile network.
    case cellular
    /// The machine itself.
    case loopback
    /// Anything else, such as a tunnel.
    case other
  }

  /// The system's name for it, such as `eth0`.
  public let name: String
  /// The kind of the interface.
  public let kind: Kind
}

extension NetworkInterface: CustomStringConvertible {
  /// The name, and the kind if it is known: `eth0 (wired)`.
  public var description: String { kind == .other ? name : "\(name) (\(kind.rawValue))" }
}

/// A source of network snapshots: the system, or a test.
protocol NetworkSource: Sendable {
  /// Returns the state of the network: one snapshot soon, then one after each change. Monitoring ends when the reader
  /// stops.
  ///
  /// - Returns: The snapshots, for one reader; `nil` when the system does not provide them.
  func snapshots() -> AsyncStream<NetworkSnapshot>?
}

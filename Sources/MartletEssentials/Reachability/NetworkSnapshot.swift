/// The network as it stands at one moment: what packets can leave through, come from, and follow.
struct NetworkSnapshot: Hashable, Sendable {
  var links: [Link] = []
  var addresses: [Address] = []
  var routes: [Route] = []

  /// An interface, and whether it works.
  struct Link: Hashable, Sendable {
    var index: Int32
    var interface: NetworkInterface
    /// Whether it is switched on and connected to something.
    var isRunning: Bool
  }

  /// An address of this machine.
  struct Address: Hashable, Sendable {
    /// The link that has it.
    var link: Int32
    /// Four bytes or sixteen.
    var bytes: [UInt8]
    /// Whether it means something beyond its link.
    var isRoutable: Bool
  }

  /// A rule on where packets go.
  struct Route: Hashable, Sendable {
    /// What becomes of packets that follow it.
    enum Outcome: Hashable, Sendable {
      /// They leave through one of these links.
      case unicast(through: [Int32])
      /// They stay on this machine.
      case local
      /// They are refused, or dropped.
      case unreachable
      /// The next table is asked.
      case nextTable
    }

    var destination: AddressBlock
    var table: RouteTable
    /// Of several routes to the same destination the one with the lowest counts.
    var metric: UInt32
    var outcome: Outcome
  }
}

/// A table of routes. They are asked in the order of their ranks.
struct RouteTable: Hashable, Comparable, Sendable {
  let number: UInt32

  /// The kernel asks for its own addresses first, then the main table, then the default one (ip-rule(8)).
  /// Which rules lead to others is not known: those come last.
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

/// What packets leave this machine through.
public struct NetworkInterface: Hashable, Sendable {
  /// The families of interfaces.
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

  /// What the system calls it, such as `eth0`.
  public let name: String
  /// Which family it belongs to.
  public let kind: Kind
}

extension NetworkInterface: CustomStringConvertible {
  /// The name, and the family where it is known: `eth0 (wired)`.
  public var description: String { kind == .other ? name : "\(name) (\(kind.rawValue))" }
}

/// Tells how the network stands: the system, or a test.
protocol NetworkSource: Sendable {
  /// The network as it is, soon, and then after each change; it ends when reading stops.
  ///
  /// - Returns: The snapshots, for one reader; `nil` when the system does not tell.
  func snapshots() -> AsyncStream<NetworkSnapshot>?
}

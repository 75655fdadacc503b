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
      case leave(through: [Int32])
      /// They stay on this machine.
      case stay
      /// They are refused, or dropped.
      case refuse
      /// The next table is asked.
      case ask
    }

    var destination: AddressBlock
    var table: RouteTable
    /// Of several routes to the same destination the one with the lowest counts.
    var metric: UInt32
    var outcome: Outcome
  }
}

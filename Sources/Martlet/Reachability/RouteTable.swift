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

import NIOCore

/// What a pool keeps of one open connection.
struct ConnectionRecord {
  /// How many exchanges a connection carries at once.
  enum Capacity: Equatable {
    /// Always one.
    case one
    /// This many, until the peer announces its limit.
    case assumed(Int)
    /// This many, as announced by the peer.
    case announced(Int)

    var count: Int {
      switch self {
      case .one: 1
      case .assumed(let count), .announced(let count): count
      }
    }
  }

  let openedAt: NIODeadline
  var capacity: Capacity
  /// How many exchanges are under way.
  var activeExchangeCount = 0
  /// Whether it has carried an exchange. Until then, its age does not matter.
  var hasServed = false
  /// Whether it takes no more exchanges.
  var isRetired = false

  var hasRoom: Bool { !isRetired && activeExchangeCount < capacity.count }

  /// Whether the peer has not announced its limit yet, or allows no exchanges for now.
  var isCapacityPending: Bool {
    guard !isRetired else { return false }
    if case .assumed = capacity { return true }
    return capacity.count == 0
  }
}

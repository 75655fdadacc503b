import NIOCore

/// What a pool's decisions need to know of an open connection.
struct PoolConnection {
  /// How many exchanges a connection carries at once.
  enum Capacity: Equatable {
    /// One, whatever happens.
    case one
    /// So many until the peer says how many.
    case assumed(Int)
    /// So many, says the peer.
    case told(Int)

    var count: Int {
      switch self {
      case .one: 1
      case .assumed(let count), .told(let count): count
      }
    }
  }

  let birth: NIODeadline
  var capacity: Capacity
  /// How many exchanges are under way.
  var used = 0
  /// It has been given an exchange: whatever its age, it is good for one.
  var hasServed = false
  /// It takes no more exchanges.
  var isRetired = false

  var hasRoom: Bool { !isRetired && used < capacity.count }

  /// Whether the peer has yet to say how many exchanges it will carry, or wants none for now.
  var isUndecided: Bool {
    guard !isRetired else { return false }
    if case .assumed = capacity { return true }
    return capacity.count == 0
  }
}

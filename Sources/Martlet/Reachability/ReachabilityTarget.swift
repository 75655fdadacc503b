import MartletCore

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

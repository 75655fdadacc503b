import NIOCore

/// The order in which addresses are tried.
enum AddressOrder {
  /// Alternates the families, beginning with the one that the resolver put first (RFC 8305 §4).
  static func interleaved(_ addresses: [SocketAddress]) -> [SocketAddress] {
    guard let first = addresses.first else { return [] }
    let same = addresses.filter { $0.protocol == first.protocol }
    let other = addresses.filter { $0.protocol != first.protocol }
    let pairs = zip(same, other).flatMap { [$0, $1] }
    return pairs + same.dropFirst(other.count) + other.dropFirst(same.count)
  }
}

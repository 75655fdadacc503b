import Foundation
import MartletCore
import NIOCore

/// Lets through the addresses to which connections may be made.
struct AddressGuard: Sendable {
  let policy: AddressPolicy

  /// Those of `addresses` that are allowed.
  ///
  /// - Throws: `MartletError` with code `.addressNotAllowed` when none is.
  func admitted(_ addresses: [SocketAddress], of origin: Origin) throws(MartletError)
    -> [SocketAddress]
  {
    let admitted = addresses.filter(allows)
    guard !admitted.isEmpty else {
      throw .addressNotAllowed(origin, addresses: addresses.map(\.text))
    }
    return admitted
  }

  private func allows(_ address: SocketAddress) -> Bool {
    guard let text = address.ipAddress, let port = address.port else { return policy.allowsSockets }
    return IPAddress(text, port: port).map(policy.allows) ?? false
  }
}

extension IPAddress {
  /// The address that a text stands for, its zone aside.
  fileprivate init?(_ text: String, port: Int) {
    let bare = String(text.prefix { $0 != "%" })
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, bare, &four) == 1 {
      self.init(bytes: withUnsafeBytes(of: four) { Array($0) }, port: port)
    } else if inet_pton(AF_INET6, bare, &six) == 1 {
      self.init(bytes: withUnsafeBytes(of: six) { Array($0) }, port: port)
    } else {
      return nil
    }
  }
}

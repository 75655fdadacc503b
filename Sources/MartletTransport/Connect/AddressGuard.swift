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

  /// Refuses an origin that names an address that is not allowed. The addresses of a name are checked
  /// when it is looked up.
  ///
  /// - Throws: `MartletError` with code `.addressNotAllowed`.
  func checkAddress(in origin: Origin) throws(MartletError) {
    guard case .host(let host, let port) = origin.endpoint,
      let address = try? SocketAddress(ipAddress: host, port: port)
    else { return }
    _ = try admitted([address], of: origin)
  }

  private func allows(_ address: SocketAddress) -> Bool {
    guard let text = address.ipAddress, let port = address.port else { return policy.allowsSockets }
    return IPAddress(text, port: port).map(policy.allows) ?? false
  }
}

package import MartletCore
import NIOCore

/// What the system's resolver knows, without connecting.
package enum HostLookup {
  /// The addresses of a host, in the order in which to try them; an address stands for itself.
  ///
  /// - Throws: `MartletError` with code `.unknownHost`; `CancellationError`.
  package static func addresses(of host: String) async throws -> [IPAddress] {
    try await Resolver().addresses(of: host, port: 0).compactMap { address in
      address.ipAddress.flatMap { IPAddress($0, port: 0) }
    }
  }
}

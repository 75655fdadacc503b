import MartletCore

/// A server as the rules for proxies see it.
struct ProxyTarget {
  let isSecure: Bool
  /// Without a dot at the end.
  let host: String
  let port: Int
  /// The bytes of the host's address, if it is one: four, also of an IPv4 address that is written as an IPv6
  /// one (RFC 4291 §2.5.5.2), or sixteen.
  let address: [UInt8]?

  /// `nil` for what is behind a Unix-domain socket, which no proxy can reach.
  init?(_ origin: Origin) {
    guard case .host(let host, let port) = origin.endpoint else { return nil }
    isSecure = origin.isSecure
    self.host = host.hasSuffix(".") ? String(host.dropLast()) : host
    self.port = port
    address = IPAddress(host, port: port).map { Self.unmapped($0.bytes) }
  }

  private static let mapping: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

  private static func unmapped(_ bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: mapping) ? Array(bytes.dropFirst(mapping.count)) : bytes
  }
}

import NIOCore

/// IP addresses as text and as bytes.
enum HostAddress {
  /// Whether a URL's host is an IPv4 or IPv6 address rather than a name.
  static func isAddress(_ host: String) -> Bool {
    (try? SocketAddress(ipAddress: host, port: 0)) != nil
  }

  /// An address in the spelling of `text(_:)`, or `nil` when it is none.
  static func canonical(_ address: String) -> String? {
    (try? SocketAddress(ipAddress: address, port: 0))?.ipAddress
  }

  /// Four or sixteen bytes as text, or `nil` when they are no address.
  static func text(_ bytes: ArraySlice<UInt8>) -> String? {
    try? SocketAddress(packedIPAddress: ByteBuffer(bytes: bytes), port: 0).ipAddress
  }
}

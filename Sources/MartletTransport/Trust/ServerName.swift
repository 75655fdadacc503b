/// How a host is named to a server, and looked for in its certificate.
struct ServerName: Hashable, Sendable {
  /// The name, when the host has one. It goes to the server as well (SNI, RFC 6066 §3), without the dot
  /// at the end of a name that is complete.
  let dnsName: String?
  /// The address, when the host is one. Servers are not told of it: RFC 6066 §3 forbids that. The zone
  /// means something to this machine only (RFC 6874 §3).
  let address: String?

  init(_ host: String) {
    let bare = String(host.prefix { $0 != "%" })
    if HostAddress.isAddress(bare) {
      (dnsName, address) = (nil, bare)
    } else {
      (dnsName, address) = (host.hasSuffix(".") ? String(host.dropLast()) : host, nil)
    }
  }
}

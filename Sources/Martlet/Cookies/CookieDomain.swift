/// Whether hosts belong to domains (RFC 6265bis §5.1.3).
enum CookieDomain {
  /// Whether `host` is `domain` or below it. Addresses are below nothing.
  static func contains(_ host: String, in domain: String) -> Bool {
    let (host, domain) = (host.utf8, domain.utf8)
    guard host.count > domain.count else { return host.elementsEqual(domain) }
    let rest = host.dropLast(domain.count)
    return !domain.isEmpty && rest.last == UInt8(ascii: ".")
      && host.suffix(domain.count).elementsEqual(domain) && !isAddress(host)
  }

  /// Whether a host is an address, in whatever form systems take one: no name ends in a number.
  static func isAddress(_ host: String.UTF8View) -> Bool {
    if host.contains(UInt8(ascii: ":")) { return true }
    let labels = host.split(separator: UInt8(ascii: "."))
    guard let last = labels.last else { return false }
    if last.allSatisfy(\.isDecimal) { return true }
    return last.count > 1 && last.first == UInt8(ascii: "0")
      && last.dropFirst().first.map { $0 | 0x20 } == UInt8(ascii: "x")
      && last.dropFirst(2).allSatisfy { $0.isDecimal || (0x61...0x66).contains($0 | 0x20) }
  }

  /// The domains that a host belongs to, its own name first: those that cookies for it can have.
  static func all(of host: String) -> [Substring] {
    guard !isAddress(host.utf8) else { return [host[...]] }
    var domains = [host[...]]
    // No rule of the domain name system lets a name have more than 127 parts.
    while domains.count < 128, let last = domains.last, let dot = last.utf8.firstIndex(of: 0x2E) {
      domains.append(last[last.utf8.index(after: dot)...])
    }
    return domains
  }
}

extension UInt8 {
  fileprivate var isDecimal: Bool { (0x30...0x39).contains(self) }
}

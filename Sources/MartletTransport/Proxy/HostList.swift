public import MartletCore

/// A list of hosts in the format of the environment variable `no_proxy`, separated by commas or white space.
///
/// | entry | hosts |
/// |---|---|
/// | `*` | all |
/// | `example.com`, `.example.com`, `*.example.com` | that host and its subdomains |
/// | `10.1.2.3`, `::1`, `[::1]` | that address |
/// | `10.0.0.0/8`, `fd00::/8` | all addresses with that prefix |
///
/// A port may follow a name, an IPv4 address, or an IPv6 address in brackets: `example.com:8080`. An entry without a
/// port applies to all ports. Case and a dot at the end do not matter. Names are not looked up, so a name never matches
/// an address.
public struct HostList: Hashable, Sendable {
  private let text: String
  private let patterns: [HostListEntry]

  /// A list of hosts from its text.
  ///
  /// - Throws: `MartletError` with code `.invalidProxy` for an entry in another form.
  public init(_ text: String) throws(MartletError) {
    do throws(ProxyProblem) {
      try self.init(parsing: text)
    } catch {
      throw .invalidProxy(error.reason, in: "The list of hosts")
    }
  }

  init(parsing text: String) throws(ProxyProblem) {
    let entries = text.split { $0 == "," || $0.isWhitespace }
    var patterns: [HostListEntry] = []
    for entry in entries { patterns.append(try HostListEntry(entry)) }
    self.patterns = patterns
    self.text = entries.joined(separator: ",")
  }

  private init(_ text: String, _ patterns: [HostListEntry]) {
    self.text = text
    self.patterns = patterns
  }

  /// All hosts.
  public static let all = HostList("*", [.everything])
  /// This machine: `localhost` and its subdomains, 127.0.0.0/8, and ::1.
  public static let loopback = HostList(
    "localhost,127.0.0.0/8,::1", [.domain("localhost"), .loopback4, .loopback6])

  /// Whether a server is among the hosts; a server at a Unix-domain socket never is.
  public func contains(_ origin: Origin) -> Bool {
    ProxyTarget(origin).map(contains) ?? false
  }

  func contains(_ target: ProxyTarget) -> Bool {
    patterns.contains { $0.matches(target) }
  }
}

extension HostList: CustomStringConvertible {
  /// The list as text.
  public var description: String { text }
}

/// One entry of a list of hosts.
struct HostListEntry: Hashable, Sendable {
  private enum Match: Hashable, Sendable {
    case everything
    /// A name in lower case, and its subdomains.
    case domain(String)
    case addresses(AddressBlock)
  }

  private let match: Match
  /// The port; `nil` for any.
  private let port: Int?

  private init(_ match: Match, port: Int? = nil) {
    self.match = match
    self.port = port
  }

  static let everything = HostListEntry(.everything)
  static let loopback4 = HostListEntry(.addresses(AddressBlock([127, 0, 0, 0], 8)))
  static let loopback6 = HostListEntry(
    .addresses(AddressBlock(Array(repeating: 0, count: 15) + [1], 128)))

  static func domain(_ name: String) -> HostListEntry { HostListEntry(.domain(name)) }

  func matches(_ target: ProxyTarget) -> Bool {
    guard port == nil || port == target.port else { return false }
    switch match {
    case .everything: return true
    case .domain(let name):
      return target.address == nil && (target.host == name || target.host.hasSuffix("." + name))
    case .addresses(let block):
      return target.address.map(block.covers) ?? false
    }
  }

  // MARK: From text

  init(_ entry: Substring) throws(ProxyProblem) {
    guard let pattern = Self.block(entry) ?? Self.address(entry) ?? Self.hostAndPort(entry) else {
      let shown = entry.contains("@") ? "an entry" : "“\(String(entry).masked)”"
      throw ProxyProblem(
        "\(shown) is no host such as example.com, no address, and no block of addresses such as 10.0.0.0/8"
      )
    }
    self = pattern
  }

  /// `10.0.0.0/8`, `fd00::/8`
  private static func block(_ entry: Substring) -> HostListEntry? {
    guard let slash = entry.firstIndex(of: "/"),
      let address = IPAddress(entry[..<slash], port: 0),
      let bits = number(entry[entry.index(after: slash)...]), bits <= address.bytes.count * 8
    else { return nil }
    // Hosts are compared without the 96 bits of an address that is mapped to IPv6.
    let host = bits >= 96 ? address.unmapped : address
    let bitsLeft = bits - 8 * (address.bytes.count - host.bytes.count)
    return HostListEntry(.addresses(AddressBlock(host.bytes, bitsLeft)))
  }

  /// `10.1.2.3`, `::1`
  private static func address(_ entry: Substring, port: Int? = nil) -> HostListEntry? {
    guard let address = IPAddress(entry, port: 0)?.unmapped else { return nil }
    return HostListEntry(
      .addresses(AddressBlock(address.bytes, address.bytes.count * 8)), port: port)
  }

  /// `example.com`, `[::1]`, each with or without a port
  private static func hostAndPort(_ entry: Substring) -> HostListEntry? {
    var host = entry
    var port: Int?
    if let colon = entry.lastIndex(of: ":"), entry.last != "]" {
      guard let number = number(entry[entry.index(after: colon)...]), (1...65535).contains(number)
      else { return nil }
      port = number
      host = entry[..<colon]
    }
    if host.hasPrefix("["), host.hasSuffix("]") {
      return address(host.dropFirst().dropLast(), port: port)
    }
    return address(host, port: port) ?? name(host).map { HostListEntry($0, port: port) }
  }

  private static func name(_ text: Substring) -> Match? {
    guard text != "*" else { return .everything }
    var name = text.lowercased()[...]
    if name.hasPrefix("*.") { name.removeFirst() }
    if name.hasPrefix(".") { name.removeFirst() }
    if name.hasSuffix(".") { name.removeLast() }
    guard name.first != ".", !name.isEmpty, name.utf8.allSatisfy(\.isAllowedInName) else {
      return nil
    }
    return .domain(String(name))
  }

  /// The value of a text that consists of digits only.
  private static func number(_ text: Substring) -> Int? {
    text.utf8.allSatisfy(\.isDigit) ? Int(text) : nil
  }
}

extension UInt8 {
  /// Whether it is a lower-case letter, a digit, a hyphen, an underscore or a dot.
  fileprivate var isAllowedInName: Bool {
    isLetter && self == lowercased || isDigit || "-_.".utf8.contains(self)
  }
}

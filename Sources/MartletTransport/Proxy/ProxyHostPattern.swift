import MartletCore

/// One entry of a list of hosts.
struct ProxyHostPattern: Hashable, Sendable {
  private enum Reach: Hashable, Sendable {
    case everything
    /// A name in lower case, and all below it.
    case domain(String)
    case addresses(AddressBlock)
  }

  private let reach: Reach
  /// `nil`: any.
  private let port: Int?

  private init(_ reach: Reach, port: Int? = nil) {
    self.reach = reach
    self.port = port
  }

  static let everything = ProxyHostPattern(.everything)
  static let loopback4 = ProxyHostPattern(.addresses(AddressBlock([127, 0, 0, 0], 8)))
  static let loopback6 = ProxyHostPattern(
    .addresses(AddressBlock(Array(repeating: 0, count: 15) + [1], 128)))

  static func domain(_ name: String) -> ProxyHostPattern { ProxyHostPattern(.domain(name)) }

  func matches(_ target: ProxyTarget) -> Bool {
    guard port == nil || port == target.port else { return false }
    switch reach {
    case .everything: return true
    case .domain(let name):
      return target.address == nil && (target.host == name || target.host.hasSuffix("." + name))
    case .addresses(let block):
      return target.address.map(block.covers) ?? false
    }
  }

  // MARK: From text

  init(_ entry: Substring) throws(ProxyProblem) {
    guard let pattern = Self.block(entry) ?? Self.address(entry) ?? Self.place(entry) else {
      let shown = entry.contains("@") ? "an entry" : "“\(String(entry).masked)”"
      throw ProxyProblem(
        "\(shown) is no host such as example.com, no address, and no block of addresses such as 10.0.0.0/8"
      )
    }
    self = pattern
  }

  /// `10.0.0.0/8`, `fd00::/8`
  private static func block(_ entry: Substring) -> ProxyHostPattern? {
    guard let slash = entry.firstIndex(of: "/"),
      let address = IPAddress(entry[..<slash], port: 0),
      let bits = number(entry[entry.index(after: slash)...]), bits <= address.bytes.count * 8
    else { return nil }
    return ProxyHostPattern(.addresses(AddressBlock(address.bytes, bits)))
  }

  /// `10.1.2.3`, `::1`
  private static func address(_ entry: Substring, port: Int? = nil) -> ProxyHostPattern? {
    guard let address = IPAddress(entry, port: 0) else { return nil }
    return ProxyHostPattern(
      .addresses(AddressBlock(address.bytes, address.bytes.count * 8)), port: port)
  }

  /// `example.com`, `[::1]`, each with a port or without.
  private static func place(_ entry: Substring) -> ProxyHostPattern? {
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
    return address(host, port: port) ?? name(host).map { ProxyHostPattern($0, port: port) }
  }

  private static func name(_ text: Substring) -> Reach? {
    guard text != "*" else { return .everything }
    var name = text.lowercased()[...]
    if name.hasPrefix("*.") { name.removeFirst() }
    if name.hasPrefix(".") { name.removeFirst() }
    if name.hasSuffix(".") { name.removeLast() }
    guard name.first != ".", !name.isEmpty, name.utf8.allSatisfy(\.mayStandInName) else {
      return nil
    }
    return .domain(String(name))
  }

  /// Digits and nothing else.
  private static func number(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }
}

extension UInt8 {
  /// Letters in lower case, digits, hyphens, underscores and dots.
  fileprivate var mayStandInName: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}

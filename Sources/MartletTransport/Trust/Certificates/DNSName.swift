/// A name of DNS: of a host, in a certificate, or at the top of a tree in name constraints.
///
/// Case does not matter, nor does a dot at the end. All bytes but `.` and `*` are alike, so that underscores are
/// allowed, and internationalised names are compared in their ASCII form.
struct DNSName: Hashable, Sendable {
  private static let dot = UInt8(ascii: ".")
  private static let star = UInt8(ascii: "*")

  private let bytes: [UInt8]

  init(_ text: String) {
    let isUpper = UInt8(ascii: "A")...UInt8(ascii: "Z")
    var bytes = text.utf8.map { isUpper.contains($0) ? $0 | 0x20 : $0 }
    if bytes.last == Self.dot { bytes.removeLast() }
    self.bytes = bytes
  }

  /// Whether this name in a certificate stands for a host (RFC 9525 §6.3).
  ///
  /// `*` is a wildcard when it is all of the first label, and stands for one label. One label behind it is
  /// enough: RFC 9525 asks for no more, nor does Go; OpenSSL, curl and webpki ask for two. A name with any other `*`
  /// stands for nothing.
  func standsFor(_ host: DNSName) -> Bool {
    guard bytes.contains(Self.star) else { return !bytes.isEmpty && self == host }
    guard bytes.starts(with: [Self.star, Self.dot]), !bytes.dropFirst().contains(Self.star),
      let dot = host.bytes.firstIndex(of: Self.dot), dot > 0
    else { return false }
    return host.bytes[dot...] == bytes[1...]
  }

  /// Whether the last label is a number, as in `127.1` or `0x7f.1`. The system reads such a host as an address, and no
  /// domain is called so (WHATWG URL, “ends in a number”).
  var endsInNumber: Bool {
    guard let last = bytes.split(separator: Self.dot).last else { return false }
    let label = String(decoding: last, as: UTF8.self)
    if label.hasPrefix("0x") { return label.dropFirst(2).allSatisfy(\.isHexDigit) }
    return label.allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// Whether it is in a tree (RFC 5280 §4.2.1.10): its top, or that with labels in front.
  ///
  /// In front of a dot there must be some. The RFC says so for mail and URIs alone; Go and OpenSSL do so here, too.
  func isWithin(_ tree: DNSName) -> Bool {
    let top = tree.bytes
    guard bytes.count > top.count else { return bytes == top }
    guard bytes.suffix(top.count) == top[...] else { return false }
    return top.isEmpty || top.first == Self.dot || bytes[bytes.count - top.count - 1] == Self.dot
  }

  /// Whether it is a host of mail or of a URI that a tree means: that host, or behind a dot those below.
  func isHost(in tree: DNSName) -> Bool {
    tree.bytes.first == Self.dot ? isWithin(tree) : self == tree
  }
}

import SwiftASN1
import X509

/// Names of certificates (RFC 5280 §4.2.1.6), or trees of names, each kind by itself.
struct CertificateNames: Sendable {
  var domains: [DNSName] = []
  /// Four or sixteen bytes; as trees twice as many, the second half being the mask.
  var addresses: [ArraySlice<UInt8>] = []
  var mails: [MailName] = []
  var uris: [String] = []
  var directories: [DistinguishedName] = []
  /// The kinds of the others, by the numbers of their tags.
  var otherKinds: Set<Int> = []

  init(_ names: some Sequence<GeneralName>) {
    for name in names {
      switch name {
      case .otherName: otherKinds.insert(0)
      case .rfc822Name(let name): mails.append(MailName(name))
      case .dnsName(let name): domains.append(DNSName(name))
      case .x400Address: otherKinds.insert(3)
      case .directoryName(let name): directories.append(name)
      case .ediPartyName: otherKinds.insert(5)
      case .uniformResourceIdentifier(let name): uris.append(name)
      case .ipAddress(let address): addresses.append(address.bytes)
      case .registeredID: otherKinds.insert(8)
      }
    }
  }

  /// The mail addresses in the name of a subject that has no alternative names (RFC 5280 §4.2.1.10).
  init(mailsOf subject: DistinguishedName) {
    for attribute in subject.joined() where attribute.type == .RDNAttributeType.emailAddress {
      if let mail = attribute.value.text { mails.append(MailName(mail)) }
    }
  }

  /// Whether a certificate with these alternative names is for a host (RFC 9525 §6).
  func include(_ host: ServerName) -> Bool {
    if let address = host.address.flatMap(HostAddress.canonical) {
      return addresses.contains { HostAddress.text($0) == address }
    }
    guard let name = host.dnsName.map(DNSName.init), !name.endsInNumber else { return false }
    return domains.contains { $0.matches(name) }
  }
}

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
  func matches(_ host: DNSName) -> Bool {
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

/// A mail address in a certificate, or at the top of a tree in name constraints: one address, those of a host, or
/// behind a dot those of all hosts of a domain (RFC 5280 §4.2.1.10).
struct MailName: Hashable, Sendable {
  /// What stands before the `@`; `nil` for all addresses of a host.
  private let box: Substring?
  private let host: DNSName

  init(_ text: String) {
    let at = text.lastIndex(of: "@")
    box = at.map { text[..<$0] }
    host = DNSName(at.map { String(text[text.index(after: $0)...]) } ?? text)
  }

  func isWithin(_ tree: MailName) -> Bool {
    guard let box else { return false }
    return tree.box.map { $0 == box && host == tree.host } ?? host.isHost(in: tree.host)
  }
}

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

import MartletCore
import SwiftASN1
import X509

/// Names of certificates (RFC 5280 §4.2.1.6) or subtrees of names, grouped by kind.
struct CertificateNames: Sendable {
  var domains: [DNSName] = []
  /// Names have 4 or 16 bytes. Subtrees have twice as many, and the second half is the mask.
  var addresses: [ArraySlice<UInt8>] = []
  var mailAddresses: [MailName] = []
  var uris: [String] = []
  var directories: [DistinguishedName] = []
  /// The kinds of all other names, as tag numbers.
  var otherKinds: Set<Int> = []

  init(_ names: some Sequence<GeneralName>) {
    for name in names {
      switch name {
      case .otherName: otherKinds.insert(0)
      case .rfc822Name(let name): mailAddresses.append(MailName(name))
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
  init(mailAddressesOf subject: DistinguishedName) {
    for attribute in subject.joined() where attribute.type == .RDNAttributeType.emailAddress {
      if let mail = attribute.value.text { mailAddresses.append(MailName(mail)) }
    }
  }

  /// Whether a certificate with these alternative names is for a host (RFC 9525 §6).
  func include(_ host: ServerName) -> Bool {
    if let address = host.address.flatMap(HostAddress.canonical) {
      return addresses.contains { HostAddress.text($0) == address }
    }
    guard let name = host.dnsName.map(DNSName.init), !name.mayBeAddress else { return false }
    return domains.contains { $0.matches(name) }
  }
}

/// A DNS name: of a host, in a certificate, or the base of a subtree in name constraints.
///
/// Case and a dot at the end do not matter. All bytes except `.` and `*` are treated alike, so underscores are
/// allowed. Internationalized names are compared in their ASCII form.
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

  /// Whether this name in a certificate matches a host (RFC 9525 §6.3).
  ///
  /// `*` is a wildcard when it is the whole first label, and matches one label. At least one label must follow it.
  /// RFC 9525 and Go require no more; OpenSSL, curl and webpki require two. A name with any other `*` matches nothing.
  func matches(_ host: DNSName) -> Bool {
    guard bytes.contains(Self.star) else { return !bytes.isEmpty && self == host }
    guard bytes.starts(with: [Self.star, Self.dot]), !bytes.dropFirst().contains(Self.star),
      let dot = host.bytes.firstIndex(of: Self.dot), dot > 0
    else { return false }
    return host.bytes[dot...] == bytes[1...]
  }

  /// Whether the system may read this name of a host as an address.
  var mayBeAddress: Bool { HostName.mayBeAddress(bytes) }

  /// Whether it is in a subtree (RFC 5280 §4.2.1.10): the base, or the base with labels in front.
  ///
  /// A base that begins with a dot needs at least one label in front. The RFC requires that for mail and URIs only;
  /// Go and OpenSSL do so for DNS names, too.
  func isWithin(_ tree: DNSName) -> Bool {
    let top = tree.bytes
    guard bytes.count > top.count else { return bytes == top }
    guard bytes.suffix(top.count) == top[...] else { return false }
    return top.isEmpty || top.first == Self.dot || bytes[bytes.count - top.count - 1] == Self.dot
  }

  /// Whether it is in a subtree for mail or URIs: the same host or, if the base begins with a dot, a host below it.
  func isHost(in tree: DNSName) -> Bool {
    tree.bytes.first == Self.dot ? isWithin(tree) : self == tree
  }
}

/// A mail address in a certificate, or the base of a subtree in name constraints.
///
/// A base is one address, a host for all addresses of that host, or a dot and a domain for all hosts below that domain
/// (RFC 5280 §4.2.1.10).
struct MailName: Hashable, Sendable {
  /// The part before the `@`; `nil` for all addresses of a host.
  private let localPart: Substring?
  private let host: DNSName

  init(_ text: String) {
    let at = text.lastIndex(of: "@")
    localPart = at.map { text[..<$0] }
    host = DNSName(at.map { String(text[text.index(after: $0)...]) } ?? text)
  }

  func isWithin(_ tree: MailName) -> Bool {
    guard let localPart else { return false }
    return tree.localPart.map { $0 == localPart && host == tree.host } ?? host.isHost(in: tree.host)
  }
}

/// The name of a host for SNI and for the check of the certificate.
struct ServerName: Hashable, Sendable {
  /// The name, if the host has one, without a dot at the end. It is also sent to the server (SNI, RFC 6066 §3).
  let dnsName: String?
  /// The address, if the host is one, without its zone. RFC 6066 §3 forbids sending an address to the server. A zone
  /// has a meaning on this machine only (RFC 6874 §3).
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

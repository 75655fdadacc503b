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

  /// The mail addresses in the name of a holder who has no alternative names (RFC 5280 §4.2.1.10).
  init(mailsOf holder: DistinguishedName) {
    for attribute in holder.joined() where attribute.type == .RDNAttributeType.emailAddress {
      if let mail = attribute.value.text { mails.append(MailName(mail)) }
    }
  }

  /// Whether a certificate with these alternative names is for a host (RFC 9525 §6).
  func include(_ host: ServerName) -> Bool {
    if let address = host.address.flatMap(HostAddress.canonical) {
      return addresses.contains { HostAddress.text($0) == address }
    }
    guard let name = host.dnsName.map(DNSName.init), !name.endsInNumber else { return false }
    return domains.contains { $0.standsFor(name) }
  }
}

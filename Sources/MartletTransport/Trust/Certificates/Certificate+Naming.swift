import MartletCore
import SwiftASN1
import X509

extension Certificate {
  /// The names and addresses that it is for, for people to read.
  var hostNames: [String] {
    guard let names = try? extensions.subjectAlternativeNames else { return [] }
    return names.compactMap { name in
      switch name {
      case .dnsName(let name): name.shown
      case .ipAddress(let address): HostAddress.text(address.bytes)
      default: nil
      }
    }
  }
}

extension DistinguishedName {
  /// The last common name, or all of the name where there is none.
  var commonName: String {
    for relative in reversed() {
      for attribute in relative where attribute.type == .RDNAttributeType.commonName {
        if let name = attribute.value.text { return name.shown }
      }
    }
    return "\(self)".shown
  }
}

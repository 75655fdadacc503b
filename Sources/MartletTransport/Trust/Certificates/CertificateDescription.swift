public import EssentialFoundation
public import MartletCore
import SwiftASN1
import X509

/// The contents of a certificate, for people to read.
public struct CertificateDescription: Hashable, Sendable {
  /// The subject: its common name, or its whole name if it has none.
  public let subject: String
  /// The issuer: its common name, or its whole name if it has none.
  public let issuer: String
  /// The start of its validity.
  public let notBefore: Date
  /// The end of its validity.
  public let notAfter: Date
  /// The host names and addresses that it is for.
  public let hosts: [String]
  /// The kind of its key, such as `P256` or `RSA2048`.
  public let key: String
  /// The pin of its key.
  public let pin: PublicKeyPin

  /// The contents of a certificate; `nil` when it cannot be read.
  ///
  /// - Parameter der: The certificate, as DER.
  public init?(der: [UInt8]) {
    guard let parsed = ParsedCertificate(der), let pin = parsed.key.pin else { return nil }
    let certificate = parsed.certificate
    subject = parsed.subjectName
    issuer = certificate.issuer.commonName
    (notBefore, notAfter) = (certificate.notValidBefore, certificate.notValidAfter)
    hosts = certificate.hostNames
    key = "\(certificate.publicKey)".replacing(".PublicKey", with: "")
    self.pin = pin
  }
}

extension Certificate {
  /// The host names and addresses that it is for, for people to read.
  var hostNames: [String] {
    guard let names = try? extensions.subjectAlternativeNames else { return [] }
    return names.compactMap { name in
      switch name {
      case .dnsName(let name): name.sanitized
      case .ipAddress(let address): HostAddress.text(address.bytes)
      default: nil
      }
    }
  }
}

extension DistinguishedName {
  /// The last common name, or the whole name if there is none.
  var commonName: String {
    for relative in reversed() {
      for attribute in relative where attribute.type == .RDNAttributeType.commonName {
        if let name = attribute.value.text { return name.sanitized }
      }
    }
    return "\(self)".sanitized
  }
}

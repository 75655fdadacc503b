public import EssentialFoundation
public import MartletCore
import SwiftASN1
import X509

/// What a certificate says, for people to read.
public struct CertificateDescription: Hashable, Sendable {
  /// Whose it is: the common name, or all of the name where there is none.
  public let subject: String
  /// Who has issued it.
  public let issuer: String
  /// From when on it is valid.
  public let notBefore: Date
  /// Until when it is valid.
  public let notAfter: Date
  /// The host names and addresses that it is for.
  public let hosts: [String]
  /// The kind of its key, such as `P256` or `RSA2048`.
  public let key: String
  /// The pin of its key.
  public let pin: PublicKeyPin

  /// What a certificate says; `nil` when it cannot be read.
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
  /// The names and addresses that it is for, for people to read.
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
  /// The last common name, or all of the name where there is none.
  var commonName: String {
    for relative in reversed() {
      for attribute in relative where attribute.type == .RDNAttributeType.commonName {
        if let name = attribute.value.text { return name.sanitized }
      }
    }
    return "\(self)".sanitized
  }
}

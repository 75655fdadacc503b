import SwiftASN1
import X509

/// The extensions of a certificate (RFC 5280 §4.2), which are parsed once.
struct CertificateExtensions: Sendable {
  private(set) var basicConstraints: BasicConstraints?
  private(set) var keyUsage: KeyUsage?
  private(set) var purposes: ExtendedKeyUsage?
  /// The alternative names; `nil` when there is no such extension, or it cannot be read.
  private(set) var names: CertificateNames?
  private(set) var subtrees: NameSubtrees?
  private(set) var policies = CertificatePolicies()
  /// The identifiers of its key and of its issuer's key.
  private(set) var keyIdentifier: ArraySlice<UInt8>?
  private(set) var issuerKeyIdentifier: ArraySlice<UInt8>?
  /// A critical extension that is not supported.
  let unknown: ASN1ObjectIdentifier?
  /// Whether there are no extensions.
  let isEmpty: Bool
  /// Whether a supported extension cannot be read.
  private(set) var isMalformed = false

  init(_ extensions: Certificate.Extensions) {
    isEmpty = extensions.isEmpty
    unknown = extensions.first { $0.critical && !Self.understood.contains($0.oid) }?.oid
    // These only help to find issuers fast.
    keyIdentifier = try? extensions.subjectKeyIdentifier?.keyIdentifier
    issuerKeyIdentifier = try? extensions.authorityKeyIdentifier?.keyIdentifier
    do {
      names = try extensions.subjectAlternativeNames.map { CertificateNames($0) }
      basicConstraints = try Self.basicConstraints(extensions)
      keyUsage = try extensions.keyUsage
      purposes = try extensions.extendedKeyUsage
      subtrees = try extensions.nameConstraints.map { try NameSubtrees($0) }
      policies = try CertificatePolicies(extensions)
    } catch {
      isMalformed = true
    }
  }

  /// Reads the basic constraints, even if they encode the default.
  ///
  /// Many certificates encode that they are not an authority. This is the default, which DER leaves out
  /// (X.690 §11.5).
  private static func basicConstraints(_ extensions: Certificate.Extensions) throws
    -> BasicConstraints?
  {
    let noAuthority: [UInt8] = [0x30, 0x03, 0x01, 0x01, 0x00]
    let isWrittenOut =
      extensions[oid: .X509ExtensionID.basicConstraints]?.value.elementsEqual(noAuthority) == true
    return isWrittenOut ? .notCertificateAuthority : try extensions.basicConstraints
  }

  /// The extensions that are supported when they are critical.
  private static let understood: Set<ASN1ObjectIdentifier> = [
    .X509ExtensionID.basicConstraints, .X509ExtensionID.nameConstraints,
    .X509ExtensionID.keyUsage, .X509ExtensionID.extendedKeyUsage,
    .X509ExtensionID.subjectAlternativeName, CertificatePolicies.Identifier.policies,
    CertificatePolicies.Identifier.mappings, CertificatePolicies.Identifier.constraints,
    CertificatePolicies.Identifier.inhibitAny,
    // CRL distribution points (RFC 5280 §4.2.1.13): revocation is not checked.
    [2, 5, 29, 31],
  ]
}

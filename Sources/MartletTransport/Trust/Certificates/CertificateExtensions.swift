import SwiftASN1
import X509

/// What the extensions of a certificate say (RFC 5280 §4.2), read once.
struct CertificateExtensions: Sendable {
  private(set) var basicConstraints: BasicConstraints?
  private(set) var keyUsage: KeyUsage?
  private(set) var purposes: ExtendedKeyUsage?
  /// The alternative names; `nil` when there is no such extension.
  private(set) var names: CertificateNames?
  private(set) var subtrees: NameSubtrees?
  private(set) var policies = CertificatePolicies()
  /// The identifier of its key, and that of its issuer's.
  private(set) var keyIdentifier: ArraySlice<UInt8>?
  private(set) var issuerKeyIdentifier: ArraySlice<UInt8>?
  /// A critical one that is not understood.
  let unknown: ASN1ObjectIdentifier?
  /// Whether there are none.
  let isEmpty: Bool
  /// Whether one that is understood cannot be read.
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

  /// Many certificates write out that they are no authority's, which is the default and not DER (X.690 §11.5).
  private static func basicConstraints(_ extensions: Certificate.Extensions) throws
    -> BasicConstraints?
  {
    let noAuthority: [UInt8] = [0x30, 0x03, 0x01, 0x01, 0x00]
    let isWrittenOut =
      extensions[oid: .X509ExtensionID.basicConstraints]?.value.elementsEqual(noAuthority) == true
    return isWrittenOut ? .notCertificateAuthority : try extensions.basicConstraints
  }

  /// The extensions that are understood when they are critical.
  private static let understood: Set<ASN1ObjectIdentifier> = [
    .X509ExtensionID.basicConstraints, .X509ExtensionID.nameConstraints,
    .X509ExtensionID.keyUsage, .X509ExtensionID.extendedKeyUsage,
    .X509ExtensionID.subjectAlternativeName, CertificatePolicies.Identifier.policies,
    CertificatePolicies.Identifier.mappings, CertificatePolicies.Identifier.constraints,
    CertificatePolicies.Identifier.inhibitAny,
    // CRL distribution points (RFC 5280 §4.2.1.13): revocation is not asked for.
    [2, 5, 29, 31],
  ]
}

import Crypto
public import EssentialFoundation
import SwiftASN1
import X509

/// A certificate authority for the duration of a test.
///
///     let authority = try TemporaryAuthority()
///     let leaf = try authority.leaf(for: ["localhost", "127.0.0.1"])
///     let server = try await LoopbackServer.start(tls: ServerTLS(leaf))
///     // … and let the client trust `authority.root`.
///
/// All keys are new, and are P-256 keys unless `CertificateTraits` specify another kind. Files are written only by
/// `writePEM(to:)`.
public struct TemporaryAuthority: Sendable {
  /// The root certificate, which clients have to trust, as DER.
  public let root: [UInt8]
  /// This authority's own certificate and those between it and the root, as DER; empty if this is the root.
  public let intermediates: [[UInt8]]

  private let commonName: String
  private let name: DistinguishedName
  private let key: Certificate.PrivateKey

  /// A new root authority.
  ///
  /// - Parameters:
  ///   - commonName: The name of the root. The default is “Temporary Root”.
  ///   - notBefore: The default is yesterday.
  ///   - notAfter: The default is in ten years.
  ///   - traits: Its unusual properties. The default is none.
  /// - Throws: What swift-certificates throws.
  public init(
    commonName: String = "Temporary Root", notBefore: Date? = nil, notAfter: Date? = nil,
    traits: CertificateTraits = CertificateTraits()
  ) throws {
    let template = CertificateTemplate(
      commonName: commonName, notBefore: notBefore, notAfter: notAfter, isAuthority: true,
      traits: traits)
    key = try traits.key.make()
    self.commonName = commonName
    name = try template.subject
    root = try template.certificate(for: key, issuer: name, issuerKey: key)
    intermediates = []
  }

  private init(
    issuedBy issuer: TemporaryAuthority, template: CertificateTemplate
  ) throws {
    key = try template.traits.key.make()
    commonName = template.commonName
    name = try template.subject
    root = issuer.root
    let own = try template.certificate(for: key, issuer: issuer.name, issuerKey: issuer.key)
    intermediates = [own] + issuer.intermediates
  }

  /// An authority whose certificate is issued by this one.
  ///
  /// The certificates that it issues include the chain up to the root, without the root.
  ///
  /// - Parameters:
  ///   - commonName: The default is “Temporary Intermediate”.
  ///   - notBefore: The default is yesterday.
  ///   - notAfter: The default is in ten years.
  ///   - traits: Its unusual properties. The default is none.
  /// - Returns: An authority with a key of its own and the same root.
  /// - Throws: What swift-certificates throws.
  public func intermediate(
    commonName: String = "Temporary Intermediate", notBefore: Date? = nil, notAfter: Date? = nil,
    traits: CertificateTraits = CertificateTraits()
  ) throws -> TemporaryAuthority {
    let template = CertificateTemplate(
      commonName: commonName, notBefore: notBefore, notAfter: notAfter, isAuthority: true,
      traits: traits)
    return try TemporaryAuthority(issuedBy: self, template: template)
  }

  /// This authority's certificate, signed by another authority, as DER.
  ///
  /// It gives the certificates that this authority issues a second path to a root.
  ///
  /// - Parameters:
  ///   - other: The authority that signs.
  ///   - names: Host names and IP addresses, as subject alternative names. The default is none.
  /// - Returns: A certificate for the same name and key.
  /// - Throws: What swift-certificates throws.
  public func signed(by other: TemporaryAuthority, names: [String] = []) throws -> [UInt8] {
    let template = CertificateTemplate(commonName: commonName, names: names, isAuthority: true)
    return try template.certificate(for: key, issuer: other.name, issuerKey: other.key)
  }

  /// A certificate for a server or a client.
  ///
  /// - Parameters:
  ///   - names: Host names and IP addresses. The default is this machine's: `localhost`, `127.0.0.1`
  ///     and `::1`.
  ///   - commonName: The default is the first of `names`.
  ///   - notBefore: The default is yesterday.
  ///   - notAfter: The default is in ten years; a date in the past makes an expired certificate.
  ///   - includesAlternativeNames: Whether `names` are listed as subject alternative names, the only names that
  ///     verifiers check today. The default is true.
  ///   - purposes: The default is both server and client.
  ///   - traits: Its unusual properties. The default is none.
  /// - Returns: The certificate, the intermediates above it, and a new private key.
  /// - Throws: What swift-certificates throws.
  public func leaf(
    for names: [String] = ["localhost", "127.0.0.1", "::1"], commonName: String? = nil,
    notBefore: Date? = nil, notAfter: Date? = nil, includesAlternativeNames: Bool = true,
    purposes: [CertificatePurpose] = [.server, .client],
    traits: CertificateTraits = CertificateTraits()
  ) throws -> CertifiedKey {
    let template = CertificateTemplate(
      commonName: commonName ?? names.first ?? "Temporary Leaf",
      names: includesAlternativeNames ? names : [], notBefore: notBefore, notAfter: notAfter,
      purposes: purposes, traits: traits)
    let own = try traits.key.make()
    let certificate = try template.certificate(for: own, issuer: name, issuerKey: key)
    return CertifiedKey(
      certificates: [certificate] + intermediates,
      privateKeyPEM: try own.serializeAsPEM().pemString)
  }

  /// A self-signed certificate, marked as an authority like those that most tools make.
  ///
  /// - Parameters:
  ///   - commonName: The common name; the only name if `names` is empty.
  ///   - names: Host names and IP addresses, as subject alternative names. The default is none.
  ///   - notBefore: The default is yesterday.
  ///   - notAfter: The default is in ten years.
  /// - Returns: The certificate and its private key.
  /// - Throws: What swift-certificates throws.
  public static func selfSigned(
    commonName: String, names: [String] = [], notBefore: Date? = nil, notAfter: Date? = nil
  ) throws -> CertifiedKey {
    let template = CertificateTemplate(
      commonName: commonName, names: names, notBefore: notBefore, notAfter: notAfter,
      isAuthority: true, purposes: [.server])
    let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
    let certificate = try template.certificate(
      for: key, issuer: try template.subject, issuerKey: key)
    return CertifiedKey(
      certificates: [certificate], privateKeyPEM: try key.serializeAsPEM().pemString)
  }

  /// The root as PEM.
  public var rootPEM: String { CertifiedKey.pem(certificate: root) + "\n" }

  /// Writes the root to a PEM file, for peers that read their trust anchors from a file.
  ///
  /// - Parameter url: A file URL. An existing file is replaced.
  /// - Throws: What the file system throws.
  public func writePEM(to url: URL) throws {
    try Data(rootPEM.utf8).write(to: url, options: .atomic)
  }
}

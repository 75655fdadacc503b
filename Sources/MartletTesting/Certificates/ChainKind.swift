import EssentialFoundation

/// The kinds of certificate chains, valid ones and one for each defect, similar to badssl.com.
///
///     for kind in ChainKind.allCases {
///       let chain = try kind.certificates(under: authority)
///       // … verify the chain for `kind.host`, and compare the result with `kind`
///     }
public enum ChainKind: String, CaseIterable, Sendable {
  /// A valid chain with an intermediate certificate.
  case valid
  /// A valid chain for a wildcard name.
  case wildcard
  /// A valid chain for an IP address.
  case address
  /// A valid chain, followed by certificates that are not needed.
  case extraCertificates
  /// A valid chain in the wrong order after its first certificate.
  case shuffled
  /// The certificate has expired.
  case expired
  /// The certificate is not valid yet.
  case notYetValid
  /// The certificate is self-signed.
  case selfSigned
  /// The certificate is for another host.
  case wrongHost
  /// The certificate has a common name and no alternative names.
  case noAlternativeNames
  /// The intermediate certificate is not sent.
  case missingIntermediate
  /// The issuer's name constraints do not permit the host.
  case nameNotPermitted
  /// The chain has more intermediate certificates than the path length constraint of the first allows.
  case pathTooLong
  /// The issuer's certificate is not that of a certificate authority.
  case notAnAuthority
  /// The issuer's key may not sign certificates.
  case issuerMayNotSign
  /// The certificate's key may sign certificates only.
  case wrongKeyUsage
  /// The certificate is for TLS clients only.
  case forClients
  /// The certificate is signed with SHA-1.
  case sha1
  /// The certificate's key is an RSA key of 1024 bits.
  case shortKey

  /// The host for which the chain is verified.
  public var host: String {
    switch self {
    case .address: "10.0.0.1"
    case .wildcard: "www.example.com"
    default: "example.com"
    }
  }

  /// The certificates that a server would send, as DER.
  ///
  /// - Parameter authority: The root of every chain except the self-signed one.
  /// - Returns: The server's own certificate, followed by the others that it sends.
  /// - Throws: What swift-certificates throws.
  public func certificates(under authority: TemporaryAuthority) throws -> [[UInt8]] {
    switch self {
    case .valid: try authority.intermediate().leaf(for: [host]).certificates
    case .wildcard: try authority.leaf(for: ["*.example.com"]).certificates
    case .address: try authority.leaf(for: [host]).certificates
    case .extraCertificates:
      try authority.leaf(for: [host]).certificates + TemporaryAuthority().leaf().certificates
    case .shuffled: try shuffled(under: authority)
    case .expired:
      try authority.leaf(for: [host], notBefore: Self.day(0), notAfter: Self.day(365)).certificates
    case .notYetValid:
      try authority.leaf(for: [host], notBefore: Self.day(47_482), notAfter: Self.day(47_500))
        .certificates
    case .selfSigned:
      try TemporaryAuthority.selfSigned(commonName: host, names: [host]).certificates
    case .wrongHost: try authority.leaf(for: ["example.org"]).certificates
    case .noAlternativeNames:
      try authority.leaf(for: [host], includesAlternativeNames: false).certificates
    case .missingIntermediate:
      Array(try authority.intermediate().leaf(for: [host]).certificates.prefix(1))
    case .nameNotPermitted:
      try chainWithIntermediate(of: authority) { $0.permittedDomains = ["example.org"] }
    case .pathTooLong:
      try authority.intermediate(traits: CertificateTraits { $0.pathLength = 0 })
        .intermediate(commonName: "Second").leaf(for: [host]).certificates
    case .notAnAuthority: try chainWithIntermediate(of: authority) { $0.isAuthority = false }
    case .issuerMayNotSign:
      try chainWithIntermediate(of: authority) { $0.signsCertificatesOnly = false }
    case .wrongKeyUsage: try leafChain(of: authority) { $0.signsCertificatesOnly = true }
    case .forClients: try authority.leaf(for: [host], purposes: [.client]).certificates
    case .sha1:
      try authority.intermediate(traits: CertificateTraits { $0.key = .rsa(bits: 2048) })
        .leaf(for: [host], traits: CertificateTraits { $0.signature = .sha1 }).certificates
    case .shortKey: try leafChain(of: authority) { $0.key = .rsa(bits: 1024) }
    }
  }

  private func leafChain(
    of authority: TemporaryAuthority, _ change: (inout CertificateTraits) -> Void
  ) throws -> [[UInt8]] {
    try authority.leaf(for: [host], traits: CertificateTraits(change)).certificates
  }

  private func chainWithIntermediate(
    of authority: TemporaryAuthority, _ change: (inout CertificateTraits) -> Void
  ) throws -> [[UInt8]] {
    try authority.intermediate(traits: CertificateTraits(change)).leaf(for: [host]).certificates
  }

  private func shuffled(under authority: TemporaryAuthority) throws -> [[UInt8]] {
    let second = try authority.intermediate().intermediate(commonName: "Second")
    var certificates = try second.leaf(for: [host]).certificates
    certificates.swapAt(1, 2)
    return certificates
  }

  /// The date `number` days after the beginning of 1970.
  private static func day(_ number: Int) -> Date {
    Date(timeIntervalSince1970: Double(number) * 86_400)
  }
}

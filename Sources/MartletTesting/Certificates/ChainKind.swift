import EssentialFoundation

/// The kinds of certificate chains, valid ones and one for each defect, similar to badssl.com.
///
///     for kind in ChainKind.allCases {
///       let chain = try kind.certificates(under: authority)
///       // … verify the chain for `kind.host`, and compare the result with `kind`
///     }
public enum ChainKind: String, CaseIterable, Sendable {
  /// As it should be.
  case valid
  /// As it should be, for all hosts of a domain.
  case wildcard
  /// As it should be, for an address.
  case address
  /// As it should be, and with certificates that are not needed.
  case extraCertificates
  /// As it should be, in the wrong order behind the first.
  case shuffled
  /// It has expired.
  case expired
  /// It is not valid yet.
  case notYetValid
  /// It is self-signed.
  case selfSigned
  /// It is for another host.
  case wrongHost
  /// It has a common name and no other.
  case noAlternativeNames
  /// What lies between it and the root is not sent.
  case missingIntermediate
  /// Its authority may not issue that name.
  case nameNotPermitted
  /// It has more intermediate certificates than the path length constraint of the first allows.
  case pathTooLong
  /// Its issuer's certificate is not that of a certificate authority.
  case notAnAuthority
  /// It is issued with a key that may not sign certificates.
  case issuerMayNotSign
  /// Its key may sign certificates only.
  case wrongKeyUsage
  /// It is for clients.
  case forClients
  /// It is signed with SHA-1.
  case sha1
  /// Its key is an RSA key of 1024 bits.
  case shortKey

  /// The host that it should be good for.
  public var host: String {
    switch self {
    case .address: "10.0.0.1"
    case .wildcard: "www.example.com"
    default: "example.com"
    }
  }

  /// The certificates that a server would send, as DER.
  ///
  /// - Parameter authority: The root of all but the self-signed one.
  /// - Returns: The server's own certificate, and what it sends along.
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
    case .nameNotPermitted: try below(authority) { $0.permittedDomains = ["example.org"] }
    case .pathTooLong:
      try authority.intermediate(traits: CertificateTraits { $0.pathLength = 0 })
        .intermediate(commonName: "Second").leaf(for: [host]).certificates
    case .notAnAuthority: try below(authority) { $0.isAuthority = false }
    case .issuerMayNotSign: try below(authority) { $0.signsCertificatesOnly = false }
    case .wrongKeyUsage: try leaf(of: authority) { $0.signsCertificatesOnly = true }
    case .forClients: try authority.leaf(for: [host], purposes: [.client]).certificates
    case .sha1:
      try authority.intermediate(traits: CertificateTraits { $0.key = .rsa(bits: 2048) })
        .leaf(for: [host], traits: CertificateTraits { $0.signature = .sha1 }).certificates
    case .shortKey: try leaf(of: authority) { $0.key = .rsa(bits: 1024) }
    }
  }

  private func leaf(of authority: TemporaryAuthority, _ change: (inout CertificateTraits) -> Void)
    throws -> [[UInt8]]
  {
    try authority.leaf(for: [host], traits: CertificateTraits(change)).certificates
  }

  private func below(_ authority: TemporaryAuthority, _ change: (inout CertificateTraits) -> Void)
    throws -> [[UInt8]]
  {
    try authority.intermediate(traits: CertificateTraits(change)).leaf(for: [host]).certificates
  }

  private func shuffled(under authority: TemporaryAuthority) throws -> [[UInt8]] {
    let second = try authority.intermediate().intermediate(commonName: "Second")
    var certificates = try second.leaf(for: [host]).certificates
    certificates.swapAt(1, 2)
    return certificates
  }

  /// A day since the beginning of 1970.
  private static func day(_ number: Int) -> Date {
    Date(timeIntervalSince1970: Double(number) * 86_400)
  }
}

import Crypto
import CryptoExtras
import EssentialFoundation
import MartletCore
import SwiftASN1
import X509

/// The signature algorithm of a certificate (RFC 5280 §4.1.1.2).
enum CertificateSignature: Hashable, Sendable {
  /// An algorithm that swift-certificates verifies.
  case supportedByLibrary(Certificate.SignatureAlgorithm)
  /// RSA-PSS (RFC 4055 §3.1), which Microsoft's authorities use.
  case pss(PSSDigest)
  /// An algorithm that cannot be verified.
  case unverifiable(TrustProblem.Kind)

  /// An algorithm that swift-certificates does not verify; `nil` for all others, and for a node that is not an
  /// algorithm.
  ///
  /// - Parameter algorithm: An `AlgorithmIdentifier`.
  init?(unsupportedByLibrary algorithm: ASN1Node) {
    guard let parts = algorithm.parts, let first = parts.first,
      let identifier = try? ASN1ObjectIdentifier(derEncoded: first),
      !Self.verifiedElsewhere.contains(identifier)
    else { return nil }
    if identifier == .AlgorithmIdentifier.rsaPSS {
      self = Self.pss(parameters: parts.dropFirst().first)
    } else if let name = Self.weak[identifier] {
      self = .unverifiable(.weakSignature(name))
    } else {
      let name = Self.unsupported[identifier] ?? "the algorithm \(identifier)"
      self = .unverifiable(.unsupportedSignature(name))
    }
  }

  private static func pss(parameters: ASN1Node?) -> Self {
    switch PSSDigest.read(parameters) {
    case .success(let digest): .pss(digest)
    case .failure(let error): .unverifiable(.unsupportedSignature(error.name))
    }
  }

  /// The reason why a signature proves nothing; `nil` when a valid signature is proof.
  var problem: TrustProblem.Kind? {
    switch self {
    case .supportedByLibrary(.sha1WithRSAEncryption): .weakSignature("SHA-1")
    case .supportedByLibrary, .pss: nil
    case .unverifiable(let problem): problem
    }
  }

  /// The `AlgorithmIdentifier` of RSA with SHA-256 (RFC 8017 §A.2.4).
  static let sha256WithRSA: [UInt8] = [
    0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B, 0x05, 0x00,
  ]

  private static let verifiedElsewhere: Set<ASN1ObjectIdentifier> = [
    // RSA with SHA-1, 256, 384 and 512.
    [1, 2, 840, 113549, 1, 1, 5], [1, 2, 840, 113549, 1, 1, 11], [1, 2, 840, 113549, 1, 1, 12],
    [1, 2, 840, 113549, 1, 1, 13],
    // ECDSA with SHA-256, 384 and 512.
    [1, 2, 840, 10045, 4, 3, 2], [1, 2, 840, 10045, 4, 3, 3], [1, 2, 840, 10045, 4, 3, 4],
    // Ed25519.
    [1, 3, 101, 112],
  ]

  private static let weak: [ASN1ObjectIdentifier: String] = [
    [1, 2, 840, 113549, 1, 1, 2]: "MD2", [1, 2, 840, 113549, 1, 1, 4]: "MD5",
    [1, 2, 840, 10045, 4, 1]: "SHA-1", [1, 2, 840, 10040, 4, 3]: "SHA-1",
  ]

  private static let unsupported: [ASN1ObjectIdentifier: String] = [
    [1, 2, 840, 113549, 1, 1, 14]: "RSA and SHA-224",
    [1, 2, 840, 10045, 4, 3, 1]: "ECDSA and SHA-224",
    [2, 16, 840, 1, 101, 3, 4, 3, 1]: "DSA and SHA-224",
    [2, 16, 840, 1, 101, 3, 4, 3, 2]: "DSA and SHA-256", [1, 3, 101, 113]: "Ed448",
    [2, 16, 840, 1, 101, 3, 4, 3, 17]: "ML-DSA-44", [2, 16, 840, 1, 101, 3, 4, 3, 18]: "ML-DSA-65",
    [2, 16, 840, 1, 101, 3, 4, 3, 19]: "ML-DSA-87",
  ]
}

extension ParsedCertificate {
  /// Whether the key of another certificate has signed it.
  func isSigned(by issuer: ParsedCertificate) -> Bool {
    let key = issuer.certificate.publicKey
    switch signature {
    case .supportedByLibrary: return key.isValidSignature(certificate.signature, for: certificate)
    case .pss(let digest):
      guard let key = _RSA.Signing.PublicKey(key) else { return false }
      let bytes = certificate.signature.rawRepresentation
      return digest.isValid(bytes, for: certificate.tbsCertificateBytes, by: key)
    case .unverifiable: return false
    }
  }
}

/// The hash function of an RSA-PSS signature (RFC 4055 §3.1).
///
/// It is used for the certificate and for the mask, and the salt is as long as the digest. Other combinations are
/// rare and not supported.
enum PSSDigest: Hashable, Sendable, CaseIterable {
  case sha256
  case sha384
  case sha512

  /// The parameters that are not supported.
  struct Unsupported: Error {
    var name: String
  }

  /// The digest that parameters name.
  static func read(_ parameters: ASN1Node?) -> Result<Self, Unsupported> {
    var fields: [UInt: ASN1Node] = [:]
    for field in parameters?.parts ?? [] {
      fields[field.identifier.tagNumber] = field.parts?.first
    }
    // The default is SHA-1.
    guard let hash = fields[0]?.algorithm, hash != [1, 3, 14, 3, 2, 26] else {
      return .failure(Unsupported(name: "RSA-PSS with SHA-1"))
    }
    let mask = fields[1]?.parts ?? []
    guard let digest = allCases.first(where: { $0.identifier == hash }),
      fields[1]?.algorithm == maskGeneration, mask.last?.algorithm == hash,
      fields[2].flatMap({ try? Int(derEncoded: $0) }) == digest.length, fields[3] == nil
    else { return .failure(Unsupported(name: "RSA-PSS with unusual parameters")) }
    return .success(digest)
  }

  /// Whether a signature is valid.
  func isValid(_ signature: [UInt8], for bytes: ArraySlice<UInt8>, by key: _RSA.Signing.PublicKey)
    -> Bool
  {
    let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
    return switch self {
    case .sha256: key.isValidSignature(signature, for: SHA256.hash(data: bytes), padding: .PSS)
    case .sha384: key.isValidSignature(signature, for: SHA384.hash(data: bytes), padding: .PSS)
    case .sha512: key.isValidSignature(signature, for: SHA512.hash(data: bytes), padding: .PSS)
    }
  }

  /// The length of the digest in bytes.
  private var length: Int {
    switch self {
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }

  private var identifier: ASN1ObjectIdentifier {
    switch self {
    case .sha256: [2, 16, 840, 1, 101, 3, 4, 2, 1]
    case .sha384: [2, 16, 840, 1, 101, 3, 4, 2, 2]
    case .sha512: [2, 16, 840, 1, 101, 3, 4, 2, 3]
    }
  }

  /// MGF1 (RFC 8017 §B.2.1).
  private static let maskGeneration: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 8]
}

extension ASN1Node {
  /// The identifier of an `AlgorithmIdentifier`.
  fileprivate var algorithm: ASN1ObjectIdentifier? {
    parts?.first.flatMap { try? ASN1ObjectIdentifier(derEncoded: $0) }
  }
}

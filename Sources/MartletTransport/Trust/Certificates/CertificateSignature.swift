import Crypto
import CryptoExtras
import EssentialFoundation
import MartletCore
import SwiftASN1
import X509

/// How a certificate is signed (RFC 5280 §4.1.1.2).
enum CertificateSignature: Hashable, Sendable {
  /// In a way that swift-certificates verifies.
  case common(Certificate.SignatureAlgorithm)
  /// With RSA-PSS (RFC 4055 §3.1), as Microsoft's authorities sign.
  case pss(PSSDigest)
  /// In a way that cannot be verified.
  case unverifiable(TrustProblem.Kind)

  /// Any way but those that swift-certificates verifies; `nil` for these and for what is no algorithm.
  ///
  /// - Parameter algorithm: An `AlgorithmIdentifier`.
  init?(uncommon algorithm: ASN1Node) {
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

  /// Why the signature proves nothing; `nil` when it does, if it is right.
  var problem: TrustProblem.Kind? {
    switch self {
    case .common(.sha1WithRSAEncryption): .weakSignature("SHA-1")
    case .common, .pss: nil
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
    case .common: return key.isValidSignature(certificate.signature, for: certificate)
    case .pss(let digest):
      guard let key = _RSA.Signing.PublicKey(key) else { return false }
      let bytes = certificate.signature.rawRepresentation
      return digest.isValid(bytes, for: certificate.tbsCertificateBytes, by: key)
    case .unverifiable: return false
    }
  }
}

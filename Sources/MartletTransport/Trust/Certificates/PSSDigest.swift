import Crypto
import CryptoExtras
import EssentialFoundation
import SwiftASN1

/// What is hashed with in an RSA-PSS signature (RFC 4055 §3.1): the certificate and the mask, and the salt is as
/// long as the digest. Other combinations are as rare as they are unsupported.
enum PSSDigest: Hashable, Sendable, CaseIterable {
  case sha256
  case sha384
  case sha512

  /// Which parameters are not supported.
  struct Unsupported: Error {
    var name: String
  }

  /// The digest that parameters ask for.
  static func read(_ parameters: ASN1Node?) -> Result<Self, Unsupported> {
    var fields: [UInt: ASN1Node] = [:]
    for field in parameters?.parts ?? [] {
      fields[field.identifier.tagNumber] = field.parts?.first
    }
    // Where nothing is said, it is SHA-1.
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

  /// Whether a signature is right.
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

  /// In bytes.
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

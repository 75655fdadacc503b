import Crypto
import CryptoExtras
import SwiftASN1
import X509

/// Certificates that are signed with RSA-PSS (RFC 4055 §3.1), which swift-certificates neither makes nor reads.
enum PSSCertificate {
  /// With SHA-256 and a salt of 32 bytes.
  case sha256
  /// With SHA-1 and a salt of 20 bytes, the defaults of RSA-PSS.
  case sha1

  /// The contents of `certificate` with a new signature, as DER.
  func der(of certificate: Certificate, signedWith key: Certificate.PrivateKey) throws -> [UInt8] {
    let key = try _RSA.Signing.PrivateKey(pemRepresentation: key.serializeAsPEM().pemString)
    let algorithm = try algorithm
    let signed = try Self.sequence { sequence in
      // Version, serial number, algorithm, and the rest.
      for (position, field) in try certificate.fields.enumerated() {
        sequence.serializeRawBytes(position == 2 ? algorithm[...] : field.encodedBytes)
      }
    }
    let signature = try signature(of: signed, with: key)
    return try Self.sequence { sequence in
      sequence.serializeRawBytes(signed)
      sequence.serializeRawBytes(algorithm)
      try sequence.serialize(ASN1BitString(bytes: signature[...]))
    }
  }

  private func signature(of bytes: [UInt8], with key: _RSA.Signing.PrivateKey) throws -> [UInt8] {
    let signature =
      switch self {
      case .sha256: try key.signature(for: SHA256.hash(data: bytes), padding: .PSS)
      case .sha1: try key.signature(for: Insecure.SHA1.hash(data: bytes), padding: .PSS)
      }
    return Array(signature.rawRepresentation)
  }

  /// The `AlgorithmIdentifier`.
  private var algorithm: [UInt8] {
    get throws {
      try Self.sequence { sequence in
        try sequence.serialize(ASN1ObjectIdentifier.AlgorithmIdentifier.rsaPSS)
        sequence.serializeRawBytes(
          try Self.sequence { if self == .sha256 { try Self.writeSHA256Parameters(&$0) } })
      }
    }
  }

  private static func writeSHA256Parameters(_ sequence: inout DER.Serializer) throws {
    let sha256: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 1]
    let mgf1: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 8]
    let hash = try Self.sequence {
      try $0.serialize(sha256)
      try $0.serialize(ASN1Null())
    }
    sequence.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) {
      $0.serializeRawBytes(hash)
    }
    let mask = try Self.sequence {
      try $0.serialize(mgf1)
      $0.serializeRawBytes(hash)
    }
    sequence.serialize(explicitlyTaggedWithTagNumber: 1, tagClass: .contextSpecific) {
      $0.serializeRawBytes(mask)
    }
    try sequence.serialize(explicitlyTaggedWithTagNumber: 2, tagClass: .contextSpecific) {
      try $0.serialize(32)
    }
  }

  private static func sequence(_ write: (inout DER.Serializer) throws -> Void) throws -> [UInt8] {
    var serializer = DER.Serializer()
    try serializer.appendConstructedNode(identifier: .sequence, write)
    return serializer.serializedBytes
  }
}

extension Certificate {
  /// The fields of the signed part (RFC 5280 §4.1.2).
  fileprivate var fields: [ASN1Node] {
    get throws {
      guard case .constructed(let nodes) = try DER.parse(tbsCertificateBytes).content else {
        return []
      }
      return Array(nodes)
    }
  }
}

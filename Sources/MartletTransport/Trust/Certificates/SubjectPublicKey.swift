import Crypto
import MartletCore
import SwiftASN1
import X509

/// The encoded public key of a certificate, of whatever kind (RFC 5280 §4.1).
struct SubjectPublicKey: Hashable, Sendable {
  /// The `SubjectPublicKeyInfo`, as DER.
  let info: [UInt8]
  /// The subject, as DER.
  private let name: ArraySlice<UInt8>

  /// - Parameter der: A certificate, as DER. The result is `nil` when there is no key where it should be.
  init?(certificate der: [UInt8]) {
    guard let root = try? DER.parse(der), let parts = root.parts, let toBeSigned = parts.first
    else { return nil }
    self.init(toBeSigned: toBeSigned)
  }

  init?(toBeSigned: ASN1Node) {
    guard let fields = TBSCertificateFields(toBeSigned), let key = fields.key,
      let subject = fields.subject
    else { return nil }
    info = Array(key.encodedBytes)
    name = subject.encodedBytes
  }

  /// The subject, if it can be read.
  var subject: DistinguishedName? {
    (try? DER.parse(name)).flatMap { try? DistinguishedName(derEncoded: $0) }
  }

  /// The pin of the key.
  var pin: PublicKeyPin? { PublicKeyPin(digest: SHA256.hash(data: info)) }

  /// The pin of the key, and its subject.
  var pinnedKey: TrustProblem.PinnedKey? {
    pin.map { .init(pin: $0, subject: subject?.commonName ?? "a certificate") }
  }

  /// The reason why swift-certificates cannot read a certificate with this key; `nil` when the key is not the reason.
  var problem: TrustProblem.Kind? {
    if let bits = rsaBits { return bits < 2048 ? .weakKey("an RSA key of \(bits) bits") : nil }
    guard let (algorithm, curve) = algorithm, algorithm != .AlgorithmIdentifier.rsaEncryption
    else { return nil }
    if algorithm == Self.ellipticCurve {
      return curve.flatMap {
        Self.curves.contains($0) ? nil : .unsupportedKey("a key on the curve \($0)")
      }
    }
    return algorithm == Self.ed25519 ? nil : .unsupportedKey("a key of the kind \(algorithm)")
  }

  private static let ellipticCurve: ASN1ObjectIdentifier = [1, 2, 840, 10045, 2, 1]
  private static let ed25519: ASN1ObjectIdentifier = [1, 3, 101, 112]
  /// P-256, P-384 and P-521.
  private static let curves: Set<ASN1ObjectIdentifier> = [
    [1, 2, 840, 10045, 3, 1, 7], [1, 3, 132, 0, 34], [1, 3, 132, 0, 35],
  ]

  /// The algorithm of the key, and its parameter: for elliptic curves, which curve.
  private var algorithm: (ASN1ObjectIdentifier, parameter: ASN1ObjectIdentifier?)? {
    guard let parts = (try? DER.parse(info))?.parts?.first?.parts, let first = parts.first,
      let algorithm = try? ASN1ObjectIdentifier(derEncoded: first)
    else { return nil }
    return (
      algorithm, parts.dropFirst().first.flatMap { try? ASN1ObjectIdentifier(derEncoded: $0) }
    )
  }

  /// The length of the modulus in bits, if it is an RSA key (RFC 8017 §A.1.1).
  private var rsaBits: Int? {
    guard algorithm?.0 == .AlgorithmIdentifier.rsaEncryption,
      let parts = (try? DER.parse(info))?.parts, parts.count == 2,
      let bits = try? ASN1BitString(derEncoded: parts[1]),
      let modulus = (try? DER.parse(bits.bytes))?.parts?.first,
      case .primitive(let bytes) = modulus.content
    else { return nil }
    let significant = bytes.drop { $0 == 0 }
    guard let first = significant.first else { return 0 }
    return significant.count * 8 - first.leadingZeroBitCount
  }
}

extension ASN1Node {
  /// The nodes of a constructed node; `nil` for a primitive one.
  var parts: [ASN1Node]? {
    guard case .constructed(let nodes) = content else { return nil }
    return Array(nodes)
  }
}

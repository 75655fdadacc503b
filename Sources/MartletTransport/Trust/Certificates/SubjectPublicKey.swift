import Crypto
import MartletCore
import SwiftASN1
import X509

/// The public key of a certificate as it stands there (RFC 5280 §4.1), whatever kind it is.
struct SubjectPublicKey: Hashable, Sendable {
  /// The `SubjectPublicKeyInfo`, as DER.
  let info: [UInt8]
  /// Whose it is, as DER.
  private let name: ArraySlice<UInt8>

  /// - Parameter der: A certificate. Without a key in its place there is none.
  init?(certificate der: [UInt8]) {
    guard let root = try? DER.parse(der), let parts = root.parts, let toBeSigned = parts.first
    else { return nil }
    self.init(toBeSigned: toBeSigned)
  }

  /// Version (tagged, and missing in old ones), serial number, algorithm, issuer, validity, subject, key.
  init?(toBeSigned: ASN1Node) {
    guard let parts = toBeSigned.parts, let first = parts.first else { return nil }
    let position = first.identifier.tagClass == .contextSpecific ? 6 : 5
    guard parts.indices.contains(position) else { return nil }
    info = Array(parts[position].encodedBytes)
    name = parts[position - 1].encodedBytes
  }

  /// Whose it is, where that can be read.
  var holder: DistinguishedName? {
    (try? DER.parse(name)).flatMap { try? DistinguishedName(derEncoded: $0) }
  }

  /// The digest that pins it.
  var pin: PublicKeyPin? { PublicKeyPin(digest: SHA256.hash(data: info)) }

  /// What to pin, and whose it is.
  var pinnedKey: TrustProblem.PinnedKey? {
    pin.map { .init(pin: $0, holder: holder?.commonName ?? "a certificate") }
  }

  /// The length of its modulus, when it is an RSA key (RFC 8017 §A.1.1).
  var rsaBits: Int? {
    guard let parts = (try? DER.parse(info))?.parts, parts.count == 2,
      let algorithm = parts[0].parts?.first,
      (try? ASN1ObjectIdentifier(derEncoded: algorithm)) == .AlgorithmIdentifier.rsaEncryption,
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
  /// What it is made of, or `nil` when it is made of nothing smaller.
  var parts: [ASN1Node]? {
    guard case .constructed(let nodes) = content else { return nil }
    return Array(nodes)
  }
}

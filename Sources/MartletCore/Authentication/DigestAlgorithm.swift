package import Crypto
import CryptoExtras
import EssentialFoundation

/// The hash functions of Digest authentication (RFC 7616 §6.1), the weakest first, and SHA-512, which some servers
/// have.
package enum DigestAlgorithm: String, CaseIterable, Comparable, Sendable {
  case md5 = "MD5"
  case sha256 = "SHA-256"
  case sha512Truncated = "SHA-512-256"
  case sha512 = "SHA-512"

  /// A hash that is fed piece by piece.
  package func makeHasher() -> any HashFunction {
    switch self {
    case .md5: Insecure.MD5()
    case .sha256: SHA256()
    case .sha512Truncated: SHA512256()
    case .sha512: SHA512()
    }
  }

  /// The hash of a text's UTF-8, in hexadecimal digits.
  package func hash(_ text: String) -> String {
    var hasher = makeHasher()
    hasher.update(data: Data(text.utf8))
    return hasher.hexadecimal()
  }

  package static func < (left: DigestAlgorithm, right: DigestAlgorithm) -> Bool {
    left.strength < right.strength
  }

  private var strength: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension HashFunction {
  /// The end of a hash, in hexadecimal digits.
  package func hexadecimal() -> String {
    finalize().hexadecimal
  }
}

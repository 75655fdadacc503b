package import Crypto
import CryptoExtras
import EssentialFoundation

/// The hash functions of Digest authentication (RFC 7616 §6.1), the weakest first.
///
/// SHA-512 is not part of the RFC, but some servers use it.
package enum DigestAlgorithm: String, CaseIterable, Comparable, Sendable {
  case md5 = "MD5"
  case sha256 = "SHA-256"
  case sha512Truncated = "SHA-512-256"
  case sha512 = "SHA-512"

  /// Returns an incremental hash function.
  package func makeHasher() -> any HashFunction {
    switch self {
    case .md5: Insecure.MD5()
    case .sha256: SHA256()
    case .sha512Truncated: SHA512256()
    case .sha512: SHA512()
    }
  }

  /// Returns the hash of a text in UTF-8, in hexadecimal digits.
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
  /// Finishes the hash and returns it in hexadecimal digits.
  package func hexadecimal() -> String {
    finalize().hexadecimal
  }
}

import Crypto
import EssentialFoundation
import MartletCore
import MartletEssentials
import NIOCore

/// The names of a key's data in the server. All data of one URL have the same hash tag, so that a cluster keeps them
/// together.
///
/// - The generation of a URL is a random text, which is also in each entry. Removing it removes all responses for the URL.
/// - The hash of a key has a field for each variant, whose value is a ``RedisEntry``.
/// - The hash of a large body has its chunks.
struct RedisLayout: Sendable {
  /// The most variants of one key.
  static let mostVariants = 64
  /// The largest record that is stored, in bytes.
  static let largestRecord = 64 << 10
  /// The largest body that is stored with its record, in bytes.
  static let largestInlineBody = 64 << 10
  /// The largest entry, in bytes.
  static let largestEntry = largestRecord + largestInlineBody + 256
  /// The bytes of a chunk of a larger body.
  static let chunkSize = 256 << 10
  /// The limits of a reply: a chunk, and all variants of a key.
  static let limits = RESPDecoder.Limits(bulk: 512 << 10, reply: 16 << 20)

  /// The longest time for which a response is stored, in milliseconds: 30 days.
  static let longestLifetime: Int64 = 30 * 86_400_000
  /// How long a generation is kept, in milliseconds, which is longer than any response.
  static let generationLifetime = longestLifetime + 86_400_000
  /// How long a body is kept after its last chunk was written, and after its response was removed or has expired, in
  /// milliseconds, so that it can be finished and read: 5 minutes.
  static let readingTime: Int64 = 300_000

  /// The key of the generation.
  let generation: String
  /// The key of the hash of variants.
  let variants: String

  init(_ key: CacheKey, prefix: String) {
    generation = "\(prefix){\(SHA256.hash(data: Data(key.url.utf8)).hexadecimal)}"
    variants = "\(generation):r:\(key.credentialsDigest ?? "")"
  }

  /// The key of the hash of a body.
  func body(_ chunks: RedisChunks) -> String {
    "\(generation):b:\(String(chunks.id, radix: 16))"
  }

  static func makeGeneration() -> String { String(UInt64.random(in: 0 ... .max), radix: 16) }
}

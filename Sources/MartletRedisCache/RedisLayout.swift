import Crypto
import EssentialFoundation
import MartletCore
import MartletEssentials
import NIOCore

/// The names of a key's data in the server. All data of one URL have the same hash tag, so that a cluster keeps them
/// together.
///
/// - The generation of a URL is a random text. Removing it removes all responses for the URL.
/// - The hash of a key has a field for each variant, whose value is a ``RedisEntry``.
/// - The chunks of a large body have names of their own.
struct RedisLayout: Sendable {
  /// The most variants of one key.
  static let mostVariants: Int64 = 64
  /// The largest record that is stored, in bytes.
  static let largestRecord = 64 << 10
  /// The largest body that is stored with its record, in bytes.
  static let largestInlineBody = 64 << 10
  /// The bytes of a chunk of a larger body.
  static let chunkSize = 256 << 10
  /// The limits of a reply: a chunk, and all variants of a key.
  static let limits = RESPDecoder.Limits(bulk: 512 << 10, reply: 16 << 20)

  /// The longest time for which a response is stored, in milliseconds: 30 days.
  static let longestLifetime: Int64 = 30 * 86_400_000
  /// How long a generation is kept, in milliseconds, which is longer than any response.
  static let generationLifetime = longestLifetime + 86_400_000
  /// How long chunks are kept while the body is written, in milliseconds: an hour.
  static let writingTime: Int64 = 3_600_000
  /// How long chunks are kept after their response was removed, in milliseconds, so that readers can finish: 5 minutes.
  static let readingTime: Int64 = 300_000

  /// The key of the generation.
  let generation: String
  /// The key of the hash.
  let variants: String

  init(_ key: CacheKey, prefix: String) {
    generation = "\(prefix){\(SHA256.hash(data: Data(key.url.utf8)).hexadecimal)}"
    variants = "\(generation):r:\(key.credentialsDigest ?? "")"
  }

  /// The key of a chunk.
  func chunk(_ number: Int, of body: RedisEntry.Chunks) -> String {
    "\(generation):b:\(String(body.id, radix: 16)):\(number)"
  }

  /// The keys of all chunks.
  func chunks(of body: RedisEntry.Chunks) -> [String] {
    (0..<body.count).map { chunk($0, of: body) }
  }

  /// Returns the digest that a response has in its entry. It is another one for each key and generation, so that no
  /// response is used for another key, or after it was removed.
  func seal(_ generation: ByteBuffer) -> [UInt8] {
    var hash = SHA256()
    hash.update(data: Data(variants.utf8))
    hash.update(data: [0])
    hash.update(data: Data(generation.readableBytesView))
    return Array(hash.finalize())
  }

  static func makeGeneration() -> String { String(UInt64.random(in: 0 ... .max), radix: 16) }
}

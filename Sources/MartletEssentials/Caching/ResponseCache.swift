import Crypto
import EssentialFoundation
import HTTPTypes
public import MartletCore

/// Stores responses, so that a later request need not be sent.
///
/// Set a cache in the session's configuration:
///
///     let api = HTTPSessionManager(baseURL: url) { $0.cache = MemoryResponseCache() }
///
/// The session decides by RFC 9111 which responses are stored, and how long they are used. A cache only stores them. A
/// cache is called on any thread, by many requests at once. When it throws, the request continues as if there were no
/// cache.
public protocol ResponseCache: Sendable {
  /// Returns the responses for a key: one for each variant (`Vary`).
  ///
  /// - Parameter key: The key of the responses.
  /// - Returns: The responses, in any order. A body that is a stream is opened when it is read. The bodies of unused
  ///   responses are never opened.
  /// - Throws: An error when the responses cannot be read.
  func responses(for key: CacheKey) async throws -> [CachedResponse]

  /// Stores a response in place of the one with the same variant (`CachedResponse.isSameVariant(as:)`). The cache may
  /// choose not to store it.
  ///
  /// - Parameters:
  ///   - response: The response, usually with its body in memory.
  ///   - key: The key of the response.
  /// - Throws: An error when the response cannot be stored.
  func store(_ response: CachedResponse, for key: CacheKey) async throws

  /// Removes the responses for all keys with a URL, for all credentials.
  ///
  /// - Parameter url: The URL of a ``CacheKey``.
  /// - Throws: An error when the responses cannot be removed.
  func remove(url: String) async throws

  /// Removes all responses.
  ///
  /// - Throws: An error when the responses cannot be removed.
  func removeAll() async throws
}

/// The key of a stored response: the URL, and a digest of the credentials.
///
/// Requests with different credentials have different keys, so that one user of a session never receives a response for
/// another. Responses to requests that authenticate by Digest are not stored, because no two such requests are equal.
/// Credentials are `Authorization`, `Cookie`, `Proxy-Authorization`, and every field that the indexing strategy
/// `.disallow` marks as secret.
public struct CacheKey: Hashable, Codable, Sendable {
  /// The URL without its fragment.
  public let url: String
  /// A digest (SHA-256, in hexadecimal digits) of the credentials of the request; `nil` without credentials.
  ///
  /// The credentials cannot be read from it, but a guess can be checked against it.
  public let credentialsDigest: String?

  /// The property names in stored keys.
  private enum CodingKeys: String, CodingKey {
    case url
    case credentialsDigest = "asker"
  }

  /// The key of a request.
  public init(_ request: Request) {
    let text = request.url.absoluteString
    url = text.firstIndex(of: "#").map { String(text[..<$0]) } ?? text
    let credentials = request.headers.filter(\.isCredential)
    credentialsDigest = credentials.isEmpty ? nil : Self.digest(of: credentials)
  }

  /// Returns a digest of fields. It is different for lists of fields that differ in a name or a value.
  static func digest(of fields: some Sequence<HTTPField>) -> String {
    var hash = SHA256()
    for field in fields {
      // Neither a name nor a value contains a line break (RFC 9110 §5.5).
      hash.update(data: Data("\(field.name.canonicalName):\(field.value)\n".utf8))
    }
    return hash.finalize().hexadecimal
  }
}

extension CacheKey: CustomStringConvertible, CustomReflectable {
  /// The URL, without the digest of the credentials.
  public var description: String { url.masked }
  /// An empty mirror, so that debuggers show only the description.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

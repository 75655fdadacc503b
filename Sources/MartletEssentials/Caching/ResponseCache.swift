import Crypto
import EssentialFoundation
import HTTPTypes
public import MartletCore

/// Keeps responses, so that a later request need not be sent.
///
/// Set one in the session's configuration:
///
///     let api = HTTPSessionManager(baseURL: url) { $0.cache = MemoryResponseCache() }
///
/// What may be kept, and for how long it may be used, is decided by the session after RFC 9111; a cache only
/// keeps what it is given. It is called from any thread, by many requests at once. When it throws, the request goes on as
/// if there were no cache.
public protocol ResponseCache: Sendable {
  /// What is kept under a key: one response for each way in which requests for it differ (`Vary`).
  ///
  /// - Parameter key: Which responses.
  /// - Returns: The responses, in any order. A body that is a stream is opened when it is read; those of responses that
  ///   are not used never are.
  /// - Throws: Why the responses cannot be had.
  func responses(for key: CacheKey) async throws -> [CachedResponse]

  /// Keeps a response, in place of one that is the same variant; it need not.
  ///
  /// - Parameters:
  ///   - response: The response, as a rule with its body in memory.
  ///   - key: Under what.
  /// - Throws: Why the response cannot be kept.
  func store(_ response: CachedResponse, for key: CacheKey) async throws

  /// Removes what is kept under all keys with a URL, whatever the credentials.
  ///
  /// - Parameter url: The URL of a ``CacheKey``.
  /// - Throws: Why that cannot be done.
  func remove(url: String) async throws

  /// Forgets everything.
  ///
  /// - Throws: Why that cannot be done.
  func removeAll() async throws
}

/// What responses are kept under: the URL, and who asked.
///
/// Requests with different credentials have different keys, so that one user of a session never gets what
/// was meant for another. Responses to requests that are answered by Digest are not kept, for no two such requests are
/// alike. Credentials are `Authorization`, `Cookie`, `Proxy-Authorization`, and every field that
/// is marked as secret by the indexing strategy `.disallow`.
public struct CacheKey: Hashable, Codable, Sendable {
  /// The URL without its fragment.
  public let url: String
  /// A digest (SHA-256, in hexadecimal digits) of the credentials of the request; `nil` without any.
  ///
  /// The credentials cannot be read from it, but a guess can be checked against it.
  public let credentialsDigest: String?

  /// The names that stored keys have.
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

  /// A digest that differs for all lists of fields that differ in a name or a value.
  static func digest(of fields: some Sequence<HTTPField>) -> String {
    var hash = SHA256()
    for field in fields {
      // Neither a name nor a value has a line break (RFC 9110 §5.5).
      hash.update(data: Data("\(field.name.canonicalName):\(field.value)\n".utf8))
    }
    return hash.finalize().hexadecimal
  }
}

extension CacheKey: CustomStringConvertible, CustomReflectable {
  /// The URL; who asked stays unsaid.
  public var description: String { url.masked }
  /// What debuggers show: no more than the description says.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

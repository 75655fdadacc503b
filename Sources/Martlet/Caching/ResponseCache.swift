import Foundation
import HTTPTypes
public import MartletCore

/// Keeps responses, so that a later request need not be sent.
///
/// Set one in the session's configuration:
///
///     let api = HTTPSessionManager(baseURL: url) { $0.cache = MemoryResponseCache() }
///
/// What may be kept, and for how long it may be used, is decided by the session after RFC 9111; a cache only
/// keeps what it is given. It is called from any thread, and must be quick.
public protocol ResponseCache: Sendable {
  /// What is kept under a key.
  func response(for key: CacheKey) -> CachedResponse?
  /// Keeps a response in place of what was kept under the key; it need not.
  func store(_ response: CachedResponse, for key: CacheKey)
  /// Forgets what is kept under all keys with a URL, whoever asked.
  func remove(url: String)
  /// Forgets everything.
  func removeAll()
}

/// What responses are kept under: the URL, and who asked.
///
/// Requests with different credentials have different keys, so that one user of a session never gets what
/// was meant for another. Responses to requests that are answered by Digest are not kept, for no two such requests are
/// alike. Credentials are `Authorization`, `Cookie`, `Proxy-Authorization`, and every field that
/// is marked as secret by the indexing strategy `.disallow`.
public struct CacheKey: Hashable, Sendable {
  /// The URL without its fragment.
  public let url: String
  private let credentials: [HTTPField]

  /// The key of a request.
  public init(_ request: Request) {
    let text = request.url.absoluteString
    url = text.firstIndex(of: "#").map { String(text[..<$0]) } ?? text
    credentials = request.headers.filter(\.isCredential)
  }
}

extension CacheKey: CustomStringConvertible, CustomReflectable {
  /// The URL; who asked stays unsaid.
  public var description: String { url.masked }
  /// What debuggers show: no more than the description says.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

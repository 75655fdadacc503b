import EssentialFoundation
import HTTPTypes
import MartletCore

/// The stored responses that a request with an unsafe method makes invalid (RFC 9111 §4.4).
enum CacheInvalidation {
  private static let safe: Set<HTTPRequest.Method> = [.get, .head, .options, .trace, .query]

  /// Returns the URLs of the stored responses, in the form of ``CacheKey/url``: that of the request, and those in
  /// `Location` and `Content-Location` if they have the same origin.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - key: The key of the request.
  ///   - head: The head of the response. An error leaves stored responses valid.
  /// - Returns: The URLs.
  static func urls(after request: Request, _ key: CacheKey, _ head: ResponseHead) -> [String] {
    guard !safe.contains(request.method), (200..<400).contains(head.status.code) else { return [] }
    let fields = [head.headers[.location], head.headers[.contentLocation]]
    let others = fields.compactMap { $0 }.compactMap { url($0, relativeTo: request.url) }
    let origin = try? request.origin
    return [key.url]
      + others.filter { (try? Origin(of: $0)) == origin }.map { CacheKey.url(of: $0) }
  }

  /// Returns the URL in a field of a response; `nil` for one that is not a URL.
  static func url(_ field: String, relativeTo base: URL) -> URL? {
    try? URLReference(field).escaped.resolved(against: URLReference(base.absoluteString)).url()
  }
}

extension HTTPRequest.Method {
  /// A safe method with a body (draft-ietf-httpbis-safe-method-w-body).
  fileprivate static let query = HTTPRequest.Method("QUERY") ?? .get
}

import Foundation
import MartletCore

/// How a path and a base URL become the URL of a request.
enum BaseURL {
  /// `http://h/v1` becomes `http://h/v1/`, so that `users` means `http://h/v1/users`; a base without a
  /// path is left alone (HTM-1).
  static func withTrailingSlash(_ url: URL) -> URL {
    let path = url.path(percentEncoded: true)
    guard !path.isEmpty, !path.hasSuffix("/"),
      var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    else { return url.absoluteURL }
    parts.percentEncodedPath = path + "/"
    return parts.url ?? url.absoluteURL
  }

  /// Resolves `path` by RFC 3986 §5; an empty one is the base URL itself (HTM-2).
  ///
  /// - Throws: `MartletError` with code `.invalidURL` (HTM-3).
  static func resolve(_ path: String, against base: URL?) throws(MartletError) -> URL {
    guard let base else {
      guard let url = URL(string: path) else { throw .invalidURL(path, "it cannot be parsed") }
      guard url.scheme != nil else {
        throw .invalidURL(path, "it is relative, and there is no base URL")
      }
      return url
    }
    guard !path.isEmpty else { return base }
    guard let url = URL(string: path, relativeTo: base) else {
      throw .invalidURL(path, "it cannot be parsed")
    }
    return url.absoluteURL
  }
}

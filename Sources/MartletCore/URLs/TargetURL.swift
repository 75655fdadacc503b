package import EssentialFoundation

/// A URL with the parts that are needed for sending, shared by a request's copies and its response.
package final class TargetURL: Sendable {
  /// The form in which the URL is stored.
  private enum Source {
    case url(URL)
    /// A URL and a path to append, whose slash at the beginning replaces the URL's at the end. The result is parsed on demand; it
    /// is not needed for sending.
    case appended(URL, path: String)
  }

  private let source: Source
  let origin: Result<Origin, MartletError>
  /// The path and query in the form of the request line (RFC 9112 §3.2.1).
  let target: String
  /// Whether the URL contains user information.
  let hasUserInfo: Bool

  package init(of url: URL) {
    source = .url(url)
    origin = Result { () throws(MartletError) in try Origin(of: url) }
    target = Self.target(of: url)
    hasUserInfo = url.user(percentEncoded: true) != nil
  }

  private init(_ source: Source, of base: TargetURL, target: String) {
    self.source = source
    self.target = target
    origin = base.origin
    hasUserInfo = base.hasUserInfo
  }

  /// Returns the URL with a path appended. This URL must end in a slash and have no query or fragment.
  ///
  /// - Parameter path: The path to append. It must not need escaping.
  /// - Returns: The longer URL.
  package func appending(_ path: String) -> TargetURL {
    TargetURL(.appended(url, path: path), of: self, target: target + path)
  }

  /// Returns the URL with another path. This URL must have the path `/`, and no query or fragment.
  ///
  /// - Parameter path: The path, which begins with a slash. It must not need escaping.
  /// - Returns: The URL with the path.
  package func replacingPath(with path: String) -> TargetURL {
    TargetURL(.appended(url, path: path), of: self, target: path)
  }

  /// The URL.
  package var url: URL {
    switch source {
    case .url(let url): url
    case .appended(let base, let path):
      // The text is always a valid URL. The fallback is only for the compiler.
      URL(string: text) ?? base.appending(path: path)
    }
  }

  /// The URL as text, for which it does not need to be parsed.
  var text: String {
    switch source {
    case .url(let url): url.absoluteString
    case .appended(let base, let path):
      path.utf8.first == UInt8(ascii: "/")
        ? String(Substring(base.absoluteString.utf8.dropLast())) + path
        : base.absoluteString + path
    }
  }

  private static func target(of url: URL) -> String {
    let path = url.path(percentEncoded: true)
    let target = path.isEmpty ? "/" : path
    guard let query = url.query(percentEncoded: true) else { return target }
    return target + "?" + query
  }
}

package import EssentialFoundation

/// Where a URL leads, in the parts that sending needs; shared by a request's copies and its response.
package final class TargetURL: Sendable {
  /// What the URL is made of.
  private enum Source {
    case url(URL)
    /// A URL and more of its path. It is parsed on demand, which sending does not need.
    case appended(URL, path: String)
  }

  private let source: Source
  let origin: Result<Origin, MartletError>
  /// Path and query, as the request line has them (RFC 9112 §3.2.1).
  let target: String
  /// Whether the URL says who the user is.
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

  /// Where a URL leads that has more path than this one's, which ends in a slash, without query and fragment.
  ///
  /// - Parameter path: What is appended; nothing in it needs escaping.
  /// - Returns: Where the longer URL leads.
  package func appending(_ path: String) -> TargetURL {
    TargetURL(.appended(url, path: path), of: self, target: target + path)
  }

  /// The URL.
  package var url: URL {
    switch source {
    case .url(let url): url
    case .appended(let base, let path):
      // Both are parts of URLs, so that the text is one; the other way is for the compiler.
      URL(string: base.absoluteString + path) ?? base.appending(path: path)
    }
  }

  private static func target(of url: URL) -> String {
    let path = url.path(percentEncoded: true)
    let target = path.isEmpty ? "/" : path
    guard let query = url.query(percentEncoded: true) else { return target }
    return target + "?" + query
  }
}

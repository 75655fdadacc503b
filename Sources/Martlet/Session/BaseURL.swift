import Foundation
import MartletCore

/// What the paths of a manager's requests are resolved against.
struct BaseURL: Sendable {
  /// The base, with a slash at the end of its path (HTM-1).
  let url: URL
  /// What a path that begins with a slash is appended to.
  private let root: String
  /// What any other path is appended to.
  private let directory: String

  /// `http://h/v1` becomes `http://h/v1/`, so that `users` means `http://h/v1/users`; a base without a
  /// path is left alone (HTM-1).
  init(_ url: URL) {
    self.url = Self.withTrailingSlash(url)
    root = URL(string: "/", relativeTo: self.url).map { String($0.absoluteString.dropLast()) } ?? ""
    directory = URL(string: "./", relativeTo: self.url)?.absoluteString ?? ""
  }

  /// Resolves `path` by RFC 3986 §5; an empty one is the base URL itself (HTM-2).
  ///
  /// - Throws: `MartletError` with code `.invalidURL` (HTM-3).
  func resolve(_ path: String) throws(MartletError) -> URL {
    guard !path.isEmpty else { return url }
    if path.isPlainPath, !root.isEmpty,
      let url = URL(string: (path.utf8.first == .slash ? root : directory) + path)
    {
      return url
    }
    guard let url = URL(string: path, relativeTo: url) else {
      throw .invalidURL(path, "it cannot be parsed")
    }
    return url.absoluteURL
  }

  /// Resolves `path` where there is no base: it must be a whole URL.
  ///
  /// - Throws: `MartletError` with code `.invalidURL` (HTM-3).
  static func resolveWhole(_ path: String) throws(MartletError) -> URL {
    guard let url = URL(string: path) else { throw .invalidURL(path, "it cannot be parsed") }
    guard url.scheme != nil else {
      throw .invalidURL(path, "it is relative, and there is no base URL")
    }
    return url
  }

  private static func withTrailingSlash(_ url: URL) -> URL {
    let path = url.path(percentEncoded: true)
    guard !path.isEmpty, !path.hasSuffix("/"),
      var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    else { return url.absoluteURL }
    parts.percentEncodedPath = path + "/"
    return parts.url ?? url.absoluteURL
  }
}

extension String {
  /// Whether resolving the path comes to appending it: it has letters, digits and single slashes only,
  /// and neither scheme nor dots nor anything to escape. Parsing one text costs a fifth of resolving.
  fileprivate var isPlainPath: Bool {
    var last: UInt8 = 0
    for byte in utf8 {
      switch byte {
      case .slash where last == .slash: return false
      case .slash, 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"):
        break
      default: return false
      }
      last = byte
    }
    return true
  }
}

extension UInt8 {
  fileprivate static let slash = UInt8(ascii: "/")
}

import EssentialFoundation
import HTTPTypes
import MartletCore

/// The base URL of a manager, against which it resolves the paths of requests.
struct BaseURL: Sendable {
  /// The base, with a slash at the end of its path (HTM-1).
  let url: URL
  /// The URL whose path a path with a leading slash replaces.
  private let root: TargetURL?
  /// The URL that any other path is appended to.
  private let directory: TargetURL?

  /// `http://h/v1` becomes `http://h/v1/`, so that `users` means `http://h/v1/users`; a base without a
  /// path is not changed (HTM-1).
  init(_ url: URL) {
    self.url = Self.withTrailingSlash(url)
    root = Self.prefix("/", of: self.url)
    directory = Self.prefix("./", of: self.url)
  }

  /// Returns a request for `path`, resolved by RFC 3986 §5; an empty path is the base URL itself (HTM-2).
  ///
  /// - Throws: `MartletError` with code `.invalidURL` (HTM-3).
  func request(
    _ method: HTTPRequest.Method, _ path: String
  ) throws(MartletError) -> Request {
    guard path.isPlainPath, let destination = destination(path) else {
      let url = try path.isEmpty ? url : URL(escaping: path, relativeTo: url)
      return Request(method, url: url)
    }
    return Request(method, to: destination)
  }

  /// Returns the target of a plain path; `nil` if there is no URL to append the path to.
  private func destination(_ path: String) -> TargetURL? {
    guard path.utf8.first == .slash else { return directory?.appending(path) }
    return root?.replacingPath(with: path)
  }

  private static func prefix(_ path: String, of base: URL) -> TargetURL? {
    (try? URL(escaping: path, relativeTo: base)).map { TargetURL(of: $0) }
  }

  /// Returns a request for `path` without a base URL: `path` must be a whole URL.
  ///
  /// - Throws: `MartletError` with code `.invalidURL` (HTM-3).
  static func wholeRequest(
    _ method: HTTPRequest.Method, _ path: String
  ) throws(MartletError) -> Request {
    let url = try URL(escaping: path)
    guard url.scheme != nil else {
      throw .invalidURL(path, "it is relative, and there is no base URL")
    }
    return Request(method, url: url)
  }

  private static func withTrailingSlash(_ url: URL) -> URL {
    var reference = URLReference(url.absoluteString)
    guard let last = reference.path.last, last != .slash else { return url.absoluteURL }
    reference.path.append(.slash)
    return (try? reference.url()) ?? url.absoluteURL
  }
}

extension String {
  /// Whether the path can be resolved by adding it to the text of the base.
  ///
  /// It has only letters, digits, hyphens, underscores and single slashes: no scheme, no dots, and nothing to escape.
  /// Parsing the text that results costs a fifth of resolving.
  fileprivate var isPlainPath: Bool {
    var path = self
    return path.withUTF8 { bytes in
      var last: UInt8 = 0
      for byte in bytes {
        switch byte {
        case .slash where last == .slash: return false
        case .slash, UInt8(ascii: "-"), UInt8(ascii: "_"): break
        default: guard byte.isLetter || byte.isDigit else { return false }
        }
        last = byte
      }
      return !bytes.isEmpty
    }
  }
}

extension UInt8 {
  fileprivate static let slash = UInt8(ascii: "/")
}

import EssentialFoundation
import HTTPTypes
import MartletCore

/// What the paths of a manager's requests are resolved against.
struct BaseURL: Sendable {
  /// The base, with a slash at the end of its path (HTM-1).
  let url: URL
  /// What a path that begins with a slash is appended to.
  private let root: TargetURL?
  /// What any other path is appended to.
  private let directory: TargetURL?

  /// `http://h/v1` becomes `http://h/v1/`, so that `users` means `http://h/v1/users`; a base without a
  /// path is left alone (HTM-1).
  init(_ url: URL) {
    self.url = Self.withTrailingSlash(url)
    root = Self.prefix("/", of: self.url)
    directory = Self.prefix("./", of: self.url)
  }

  /// A request for `path`, resolved by RFC 3986 §5; an empty one is the base URL itself (HTM-2).
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

  /// Where a plain path leads.
  private func destination(_ path: String) -> TargetURL? {
    guard path.utf8.first == .slash else { return directory?.appending(path) }
    return root?.appending(String(path.dropFirst()))
  }

  private static func prefix(_ path: String, of base: URL) -> TargetURL? {
    (try? URL(escaping: path, relativeTo: base)).map { TargetURL(of: $0) }
  }

  /// A request for `path` where there is no base: it must be a whole URL.
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
  /// Whether resolving the path comes to appending it: it has letters, digits and single slashes only,
  /// and neither scheme nor dots nor anything to escape. Parsing one text costs a fifth of resolving.
  fileprivate var isPlainPath: Bool {
    guard !isEmpty else { return false }
    var last: UInt8 = 0
    for byte in utf8 {
      switch byte {
      case .slash where last == .slash: return false
      case .slash, UInt8(ascii: "-"), UInt8(ascii: "_"): break
      default: guard byte.isLetter || byte.isDigit else { return false }
      }
      last = byte
    }
    return true
  }
}

extension UInt8 {
  fileprivate static let slash = UInt8(ascii: "/")
}

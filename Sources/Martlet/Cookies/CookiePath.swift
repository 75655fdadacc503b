/// The paths that cookies are for (RFC 6265bis §5.1.4).
enum CookiePath {
  /// The path of a cookie that names none: that of the request, up to its last slash.
  static func standard(for path: String) -> String {
    guard path.utf8.first == UInt8(ascii: "/"),
      let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex
    else { return "/" }
    return String(path[..<slash])
  }

  /// Whether a request's path is a cookie's, or below it.
  static func contains(_ path: String, in cookiePath: String) -> Bool {
    let (path, cookiePath) = (path.utf8, cookiePath.utf8)
    guard path.starts(with: cookiePath) else { return false }
    return path.count == cookiePath.count || cookiePath.last == UInt8(ascii: "/")
      || path.dropFirst(cookiePath.count).first == UInt8(ascii: "/")
  }
}

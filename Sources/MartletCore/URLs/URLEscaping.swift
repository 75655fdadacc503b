/// The percent-encoding of the components of a URL (RFC 3986 §2, Appendix A).
///
/// | byte | becomes |
/// |---|---|
/// | a byte that the component may contain | itself |
/// | `%` before two hexadecimal digits | itself: existing escapes are kept |
/// | any other `%` | `%25` |
/// | any other byte, including each byte of a UTF-8 sequence | `%XX` |
enum URLEscaping {
  /// User and password (§3.2.1).
  case userInfo
  /// A host, in which only `%` is escaped. Escapes of other invalid characters would change the name (§3.2.2), and a
  /// name that is not ASCII has its own ASCII form (RFC 5890).
  case host
  /// A path (§3.3).
  case path
  /// A query (§3.4), and a fragment (§3.5).
  case query

  /// Whether a byte, which is not `%`, stays unescaped.
  private func holds(_ byte: UInt8) -> Bool {
    if byte.isUnreservedOrSubDelimiter { return true }
    switch (self, Unicode.Scalar(byte)) {
    case (.host, _), (_, ":"): return true
    case (.path, "@"), (.path, "/"), (.query, "@"), (.query, "/"), (.query, "?"): return true
    default: return false
    }
  }

  /// Returns the component with all bytes escaped that it may not contain.
  func escape(_ component: URLReference.Component) -> URLReference.Component {
    guard let first = component.indices.first(where: { !stays(at: $0, of: component) }) else {
      return component
    }
    var escaped = component[..<first]
    for index in first..<component.endIndex {
      if stays(at: index, of: component) {
        escaped.append(component[index])
      } else {
        escaped.append(escapeOf: component[index])
      }
    }
    return escaped
  }

  private func stays(at index: Int, of component: URLReference.Component) -> Bool {
    let byte = component[index]
    guard byte == UInt8(ascii: "%") else { return holds(byte) }
    return component.endIndex - index > 2 && component[index + 1].hexadecimalValue != nil
      && component[index + 2].hexadecimalValue != nil
  }
}

extension URLReference {
  /// The reference with all bytes escaped that its components may not contain.
  package var escaped: URLReference {
    var escaped = self
    if let userInfo { escaped.userInfo = URLEscaping.userInfo.escape(userInfo) }
    if let host { escaped.host = URLEscaping.host.escape(host) }
    escaped.path = URLEscaping.path.escape(path)
    if let query { escaped.query = URLEscaping.query.escape(query) }
    if let fragment { escaped.fragment = URLEscaping.query.escape(fragment) }
    return escaped
  }
}

/// A URL or a relative reference, split at its delimiters (RFC 3986 §3, Appendix B).
///
/// The components are parts of the text. They are not checked, escaped or decoded.
package struct URLReference: Sendable {
  /// A part of the text, in bytes, because a delimiter that is followed by a combining accent is still a delimiter.
  package typealias Component = ArraySlice<UInt8>

  /// The part before the first colon, unless a slash, question mark or number sign comes first.
  package var scheme: Component?
  /// User and password: the part before the last `@` of the authority.
  package var userInfo: Component?
  /// The host, including the brackets of an address; `nil` when there is no authority.
  package var host: Component?
  /// The part after the host and a colon, which may be empty.
  package var port: Component?
  /// The path, which may be empty.
  package var path: Component
  /// The part between the first question mark and the fragment.
  package var query: Component?
  /// The part after the first number sign.
  package var fragment: Component?

  /// Splits a text into components.
  package init(_ text: String) {
    path = Array(text.utf8)[...]
    fragment = path.cut(behindFirst: .numberSign)
    query = path.cut(behindFirst: .questionMark)
    if let end = path.firstIndex(where: { $0 == .colon || $0 == .slash }), path[end] == .colon {
      scheme = path[..<end]
      path = path[path.index(after: end)...]
    }
    guard path.count >= 2, path.prefix(2).allSatisfy({ $0 == .slash }) else { return }
    let rest = path.dropFirst(2)
    path = rest[(rest.firstIndex(of: .slash) ?? rest.endIndex)...]
    parseAuthority(rest[..<path.startIndex])
  }

  private mutating func parseAuthority(_ authority: Component) {
    var hostAndPort = authority
    if let end = authority.lastIndex(of: .at) {
      userInfo = authority[..<end]
      hostAndPort = authority[authority.index(after: end)...]
    }
    // The colons of an address are in brackets (§3.2.2).
    let named = hostAndPort.lastIndex(of: .closingBracket) ?? hostAndPort.startIndex
    if let end = hostAndPort[named...].lastIndex(of: .colon) {
      port = hostAndPort[hostAndPort.index(after: end)...]
      hostAndPort = hostAndPort[..<end]
    }
    host = hostAndPort
  }

  /// The text of all components together (RFC 3986 §5.3).
  package var text: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(256)
    bytes.append(scheme, before: .colon)
    if let host {
      bytes += [.slash, .slash]
      bytes.append(userInfo, before: .at)
      bytes += host
      bytes.append(port, behind: .colon)
    }
    bytes += path
    bytes.append(query, behind: .questionMark)
    bytes.append(fragment, behind: .numberSign)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension URLReference.Component {
  /// The component as text.
  package var text: String { String(decoding: self, as: UTF8.self) }

  /// Removes the first `delimiter` and the part after it, and returns that part.
  fileprivate mutating func cut(behindFirst delimiter: UInt8) -> Self? {
    guard let end = firstIndex(of: delimiter) else { return nil }
    defer { self = self[..<end] }
    return self[index(after: end)...]
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ component: URLReference.Component?, before delimiter: UInt8) {
    guard let component else { return }
    self += component
    append(delimiter)
  }

  fileprivate mutating func append(_ component: URLReference.Component?, behind delimiter: UInt8) {
    guard let component else { return }
    append(delimiter)
    self += component
  }
}

extension UInt8 {
  static let colon = UInt8(ascii: ":")
  static let slash = UInt8(ascii: "/")
  fileprivate static let at = UInt8(ascii: "@")
  fileprivate static let questionMark = UInt8(ascii: "?")
  fileprivate static let numberSign = UInt8(ascii: "#")
  static let openingBracket = UInt8(ascii: "[")
  static let closingBracket = UInt8(ascii: "]")
}

extension URLReference {
  /// Returns the reference resolved against `base` (RFC 3986 §5.2.2).
  ///
  /// - Parameter base: A URL with a scheme.
  /// - Returns: A URL with a scheme. If its path begins with a slash, the path has no dot segments.
  package func resolved(against base: URLReference) -> URLReference {
    var url = self
    if scheme == nil {
      url.scheme = base.scheme
      if host == nil { url.complete(from: base) }
    }
    url.path = Self.withoutDotSegments(url.path)
    return url
  }

  /// Copies the authority from `base`, and the missing parts of path and query.
  private mutating func complete(from base: URLReference) {
    (userInfo, host, port) = (base.userInfo, base.host, base.port)
    if path.isEmpty {
      path = base.path
      query = query ?? base.query
    } else if path.first != .slash {
      path = Self.merge(base, path)
    }
  }

  /// Replaces the part of the base's path after its last slash with `path` (§5.2.3).
  private static func merge(_ base: URLReference, _ path: Component) -> Component {
    guard let end = base.path.lastIndex(of: .slash) else {
      return base.host == nil ? path : [.slash] + path
    }
    return base.path[...end] + path
  }

  /// Removes dot segments from a path that begins with a slash (§5.2.4): `/a/./b/../c` becomes `/a/c`.
  private static func withoutDotSegments(_ path: Component) -> Component {
    guard path.first == .slash, path.contains(UInt8(ascii: ".")) else { return path }
    var kept: [Component] = []
    var endsInSlash = false
    for segment in path.split(separator: .slash, omittingEmptySubsequences: false) {
      let isParent = segment.elementsEqual("..".utf8)
      endsInSlash = isParent || segment.elementsEqual(".".utf8)
      if isParent, kept.count > 1 { kept.removeLast() }
      if !endsInSlash { kept.append(segment) }
    }
    if endsInSlash { kept.append([]) }
    return Array(kept.joined(separator: CollectionOfOne(.slash)))[...]
  }
}

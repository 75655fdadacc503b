extension URLReference {
  /// What the reference means where `base` is the URL (RFC 3986 §5.2.2).
  ///
  /// - Parameter base: A URL with a scheme.
  /// - Returns: A URL with a scheme, and a path without dot segments.
  package func resolved(against base: URLReference) -> URLReference {
    var url = self
    if scheme == nil {
      url.scheme = base.scheme
      if host == nil { url.complete(from: base) }
    }
    url.path = Self.withoutDotSegments(url.path)
    return url
  }

  /// Takes the authority from `base`, and as much of path and query as is missing.
  private mutating func complete(from base: URLReference) {
    (userInfo, host, port) = (base.userInfo, base.host, base.port)
    if path.isEmpty {
      path = base.path
      query = query ?? base.query
    } else if path.first != .slash {
      path = Self.merge(base, path)
    }
  }

  /// The path in place of what follows the last slash of the base's (§5.2.3).
  private static func merge(_ base: URLReference, _ path: Component) -> Component {
    guard let end = base.path.lastIndex(of: .slash) else {
      return base.host == nil ? path : [.slash] + path
    }
    return base.path[...end] + path
  }

  /// §5.2.4, for a path that begins with a slash: `/a/./b/../c` becomes `/a/c`.
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

/// A host, or the hosts of a domain.
///
/// | pattern | hosts |
/// |---|---|
/// | `example.com` | that one |
/// | `*.example.com` | those one label below, such as `www.example.com` |
/// | `**.example.com` | `example.com` and everything below |
///
/// Case does not matter, nor does a dot at the end. A name in other letters than ASCII means its ASCII form
/// (RFC 5890). An address is written without brackets. A port, a scheme or a path has no place in a pattern.
public struct HostPattern: Hashable, Sendable, ExpressibleByStringLiteral {
  private enum Reach: Int, Comparable {
    /// The text is no pattern: no host is meant.
    case nothing
    case everything
    case oneLabel
    case itself

    static func < (left: Reach, right: Reach) -> Bool { left.rawValue < right.rawValue }
  }

  private let reach: Reach
  /// Without stars, in lower case and in ASCII; the whole text where that is no pattern.
  private let name: String

  /// A pattern from its text.
  ///
  /// - Throws: `MartletError` with code `.invalidHostPattern` for a text that no host can match.
  public init(_ text: String) throws(MartletError) {
    self.init(stringLiteral: text)
    if let problem { throw problem }
  }

  /// A pattern from a literal, which cannot throw.
  ///
  /// A literal that is no pattern matches no host. A security policy or TLS options that have it refuse every
  /// server, with code `.invalidHostPattern`, so that what it should protect is not left without protection.
  public init(stringLiteral text: String) {
    let (reach, host): (Reach, Substring) =
      if text.hasPrefix("**.") {
        (.everything, text.dropFirst(3))
      } else if text.hasPrefix("*.") {
        (.oneLabel, text.dropFirst(2))
      } else {
        (.itself, text[...])
      }
    (self.reach, name) = HostName.host(inPattern: host).map { (reach, $0) } ?? (.nothing, text)
  }

  /// What is wrong with a pattern from a literal; `nil` when nothing is.
  package var problem: MartletError? { reach == .nothing ? .invalidHostPattern(name) : nil }

  /// Whether a host is meant.
  public func matches(_ host: String) -> Bool {
    let host = Self.normalized(host)
    switch reach {
    case .nothing: return false
    case .itself: return host == name
    case .everything where host == name: return true
    case .everything: return host.hasSuffix("." + name)
    case .oneLabel:
      guard let dot = host.firstIndex(of: "."), dot != host.startIndex else { return false }
      return host[host.index(after: dot)...] == name
    }
  }

  /// The closest of the patterns that mean a host: itself before one label below, that before everything
  /// below, and longer names before shorter ones.
  public static func mostSpecific(for host: String, among patterns: some Sequence<HostPattern>)
    -> HostPattern?
  {
    patterns.filter { $0.matches(host) }.max {
      ($0.reach, $0.name.utf8.count) < ($1.reach, $1.name.utf8.count)
    }
  }

  private static func normalized(_ text: String) -> String {
    let text = text.lowercased()
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}

extension HostPattern: CustomStringConvertible, Codable {
  /// The pattern as text.
  public var description: String {
    switch reach {
    case .nothing, .itself: name
    case .oneLabel: "*." + name
    case .everything: "**." + name
    }
  }

  /// Reads a pattern from its text.
  ///
  /// - Throws: `MartletError` with code `.invalidHostPattern`, or what `decoder` throws.
  public init(from decoder: any Decoder) throws {
    try self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the pattern as its text.
  ///
  /// - Throws: What `encoder` throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

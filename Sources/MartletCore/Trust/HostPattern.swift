/// A pattern for a host, or for the hosts of a domain.
///
/// | pattern | hosts |
/// |---|---|
/// | `example.com` | only `example.com` |
/// | `*.example.com` | names with one more label, such as `www.example.com` |
/// | `**.example.com` | `example.com` and all names below it |
///
/// Case and a dot at the end are ignored. A name that is not ASCII means its ASCII form (RFC 5890). An address is
/// written without brackets. A pattern contains no port, scheme or path.
public struct HostPattern: Hashable, Sendable, ExpressibleByStringLiteral {
  private enum Reach: Int, Comparable {
    /// The text is not a pattern, and matches no host.
    case invalid
    case wholeDomain
    case oneLabel
    case exact

    static func < (left: Reach, right: Reach) -> Bool { left.rawValue < right.rawValue }
  }

  private let reach: Reach
  /// The name without stars, in lower case and in ASCII; the whole text if it is not a pattern.
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
  /// A literal that is not a pattern matches no host. A security policy or TLS options that contain it refuse every
  /// server with code `.invalidHostPattern`, so that no host is left without protection by mistake.
  public init(stringLiteral text: String) {
    let (reach, host): (Reach, Substring) =
      if text.hasPrefix("**.") {
        (.wholeDomain, text.dropFirst(3))
      } else if text.hasPrefix("*.") {
        (.oneLabel, text.dropFirst(2))
      } else {
        (.exact, text[...])
      }
    (self.reach, name) = HostName.host(inPattern: host).map { (reach, $0) } ?? (.invalid, text)
  }

  /// The error of a literal that is not a pattern; `nil` for a valid pattern.
  package var problem: MartletError? { reach == .invalid ? .invalidHostPattern(name) : nil }

  /// Whether the pattern matches a host.
  public func matches(_ host: String) -> Bool {
    let host = Self.normalized(host)
    switch reach {
    case .invalid: return false
    case .exact: return host == name
    case .wholeDomain where host == name: return true
    case .wholeDomain: return host.hasSuffix("." + name)
    case .oneLabel:
      guard let dot = host.firstIndex(of: "."), dot != host.startIndex else { return false }
      return host[host.index(after: dot)...] == name
    }
  }

  /// Returns the most specific of the patterns that match a host.
  ///
  /// An exact name comes before `*.`, and `*.` before `**.`. A longer name comes before a shorter one.
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
    case .invalid, .exact: name
    case .oneLabel: "*." + name
    case .wholeDomain: "**." + name
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

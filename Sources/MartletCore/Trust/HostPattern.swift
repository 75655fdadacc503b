/// A host, or the hosts of a domain.
///
/// | pattern | hosts |
/// |---|---|
/// | `example.com` | that one |
/// | `*.example.com` | those one label below, such as `www.example.com` |
/// | `**.example.com` | `example.com` and everything below |
///
/// Case does not matter, nor does a dot at the end.
public struct HostPattern: Hashable, Sendable, ExpressibleByStringLiteral {
  private enum Reach: Int, Comparable {
    case everything
    case oneLabel
    case itself

    static func < (left: Reach, right: Reach) -> Bool { left.rawValue < right.rawValue }
  }

  private let reach: Reach
  /// Without stars, in lower case.
  private let name: String

  /// A pattern from its text.
  public init(_ text: String) {
    let text = Self.normalized(text)
    if text.hasPrefix("**.") {
      (reach, name) = (.everything, String(text.dropFirst(3)))
    } else if text.hasPrefix("*.") {
      (reach, name) = (.oneLabel, String(text.dropFirst(2)))
    } else {
      (reach, name) = (.itself, text)
    }
  }

  /// A pattern from its text.
  public init(stringLiteral text: String) {
    self.init(text)
  }

  /// Whether a host is meant.
  public func matches(_ host: String) -> Bool {
    let host = Self.normalized(host)
    switch reach {
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
  public static func closest(to host: String, among patterns: some Sequence<HostPattern>)
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
    case .itself: name
    case .oneLabel: "*." + name
    case .everything: "**." + name
    }
  }

  /// Reads a pattern from its text.
  ///
  /// - Throws: What `decoder` throws.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the pattern as its text.
  ///
  /// - Throws: What `encoder` throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// Domains under which anyone can register a name, such as `co.uk` and `github.io` (https://publicsuffix.org).
///
/// A cookie for such a domain would be sent to the sites of different owners.
enum PublicSuffix {
  /// Whether a domain, in lower case and in ASCII, is a public suffix.
  ///
  /// A name that is not on the list is a suffix if it has only one label.
  static func contains(_ domain: String) -> Bool {
    let name = domain.utf8.last == dot ? domain.utf8.dropLast() : domain.utf8[...]
    guard !name.isEmpty, !HostName.mayBeAddress(domain.utf8) else { return false }
    switch rule(for: name) {
    case .suffix, .both: return true
    case .exception: return false
    case .parent, nil: break
    }
    guard let dot = name.firstIndex(of: dot) else { return true }
    switch rule(for: name[name.index(after: dot)...]) {
    case .parent, .both: return true
    case .suffix, .exception, nil: return false
    }
  }

  /// The rule for a name on the list.
  private enum Rule {
    /// The name is a suffix: `com`.
    case suffix
    /// All names directly below the name are suffixes: `*.ck`.
    case parent
    /// The name and all names directly below it are suffixes.
    case both
    /// The name is not a suffix, although the rule of its parent includes it: `!www.ck`.
    case exception

    /// The rule for the mark after a name in the table.
    init(mark: UInt8?) {
      switch mark {
      case UInt8(ascii: "*"): self = .parent
      case UInt8(ascii: "+"): self = .both
      case UInt8(ascii: "!"): self = .exception
      default: self = .suffix
      }
    }
  }

  private static let dot = UInt8(ascii: ".")

  /// Finds the rule of a name by binary search. The table is searched in place, without copying it.
  private static func rule(for name: Substring.UTF8View) -> Rule? {
    PublicSuffixTable.text.withUTF8Buffer { table in
      var (low, high) = (0, table.count)
      while low < high {
        let middle = (low + high) / 2
        let start = table[low..<middle].lastIndex(where: \.isSeparator).map { $0 + 1 } ?? low
        let end = table[middle..<high].firstIndex(where: \.isSeparator) ?? high
        let entry = table[start..<end]
        let mark = entry.last.flatMap { $0.isMark ? $0 : nil }
        let found = mark == nil ? entry : entry.dropLast()
        if found.elementsEqual(name) { return Rule(mark: mark) }
        if found.lexicographicallyPrecedes(name) { low = end + 1 } else { high = start }
      }
      return nil
    }
  }
}

extension UInt8 {
  /// Whether it separates the names of the table.
  fileprivate var isSeparator: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\n") }
  fileprivate var isMark: Bool { "*+!".utf8.contains(self) }
}

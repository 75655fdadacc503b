import HTTPTypes

/// Which bytes of the whole a response has (RFC 9110 §14.4).
package struct ContentRange: Equatable {
  /// The bytes that come; `nil` when none of those asked for are there (`bytes */10`).
  package var bytes: Range<Int64>?
  /// How many there are in all, if the server knows.
  package var total: Int64?

  /// Reads `bytes 0-4/10`, `bytes 0-4/*` or `bytes */10`; anything else is none.
  package init?(_ field: String) {
    let parts = field.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
    let sides = parts[1].split(separator: "/", omittingEmptySubsequences: false)
    guard sides.count == 2 else { return nil }
    if sides[1] != "*" {
      guard let number = Self.number(sides[1]) else { return nil }
      total = number
    }
    guard sides[0] != "*" else { return }
    let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false).map(Self.number)
    guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last,
      last < total ?? .max
    else { return nil }
    bytes = first..<last + 1
  }

  package init?(_ head: ResponseHead) {
    guard let field = head.headers[.contentRange] else { return nil }
    self.init(field)
  }

  /// Whether this can be said of so many bytes in all.
  package func fits(_ length: Int64) -> Bool {
    (total ?? length) == length && (bytes?.upperBound ?? 0) <= length
  }

  /// Digits and nothing else, few enough to be added to.
  private static func number(_ text: Substring) -> Int64? {
    guard text.utf8.count <= 18, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int64(text)
  }
}

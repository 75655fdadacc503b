/// The range of a request for one part of a body (RFC 9110 §14.1.2).
package enum ByteRange: Hashable, Sendable {
  /// From an offset to another, both included.
  case between(Int64, Int64)
  /// From an offset to the end.
  case from(Int64)
  /// The last bytes.
  case last(Int64)

  /// Parses `bytes=0-4`, `bytes=5-` or `bytes=-5`; returns `nil` for several ranges and for any other text.
  package init?(_ field: String) {
    let sides = field.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1)
    guard sides.count == 2, Substring(sides[0].trimmingBlanks).lowercased() == "bytes" else {
      return nil
    }
    let ends = sides[1].trimmingBlanks.split(
      separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard ends.count == 2 else { return nil }
    switch (Self.number(ends[0]), Self.number(ends[1])) {
    case (let first?, let last?) where first <= last: self = .between(first, last)
    case (let first?, nil) where ends[1].isEmpty: self = .from(first)
    case (nil, let count?) where ends[0].isEmpty: self = .last(count)
    default: return nil
    }
  }

  /// The bytes that it means in a body of `length` bytes; empty if there are none (§14.1.2).
  package func bytes(of length: Int64) -> Range<Int64> {
    switch self {
    case .between(let first, let last) where first < length: first..<min(last + 1, length)
    case .from(let first) where first < length: first..<length
    case .last(let count): max(0, length - count)..<length
    case .between, .from: length..<length
    }
  }

  /// Parses a number of at most 18 digits, so that adding to it cannot overflow.
  private static func number(_ digits: Substring.UTF8View) -> Int64? {
    guard digits.count <= 18, digits.allSatisfy(\.isDigit) else { return nil }
    return Int64(Substring(digits))
  }
}

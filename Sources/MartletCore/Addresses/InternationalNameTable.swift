/// The mapping of UTS #46 for the characters of a host name.
struct InternationalNameTable {
  /// The status of a character.
  enum Status {
    case valid
    case mapped([Unicode.Scalar])
    case ignored
    case disallowed

    var isValid: Bool { if case .valid = self { true } else { false } }
  }

  /// A range of characters with the same status: all of them, or every second one.
  fileprivate struct Entry {
    var range: ClosedRange<UInt32>
    var step: UInt32
    var change: Change
  }

  fileprivate enum Change {
    case status(Status)
    case shift(Int)
  }

  /// The table, loaded for the first name that is not ASCII.
  static let shared = InternationalNameTable()

  /// The entries, sorted by range.
  private let entries: [Entry]

  private init() {
    let text = Self.text.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
    entries = text.utf8.split { $0 == 0x20 || $0 == 0x0A }.compactMap { Entry(Substring($0)) }
  }

  /// The status of a character. Characters that are not in the table are valid. The URL rules check those of ASCII.
  subscript(scalar: Unicode.Scalar) -> Status {
    let value = scalar.value
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].range.upperBound < value { low = middle + 1 } else { high = middle }
    }
    guard low < entries.count, entries[low].contains(value) else { return .valid }
    switch entries[low].change {
    case .status(let status): return status
    case .shift(let distance):
      return .mapped([Unicode.Scalar(UInt32(Int(value) + distance)) ?? scalar])
    }
  }
}

extension InternationalNameTable.Entry {
  /// An entry from one item of `text`, whose format is described there.
  fileprivate init?(_ item: Substring) {
    let digits = item.prefix { $0.isHexDigit || $0 == "." || $0 == ":" }
    let ends = digits.split { $0 == "." || $0 == ":" }.compactMap { UInt32($0, radix: 16) }
    guard let first = ends.first, let last = ends.last,
      let change = InternationalNameTable.Change(item[digits.endIndex...])
    else { return nil }
    (range, step, self.change) = (first...last, digits.contains(":") ? 2 : 1, change)
  }

  fileprivate func contains(_ value: UInt32) -> Bool {
    range.contains(value) && (value - range.lowerBound).isMultiple(of: step)
  }
}

extension InternationalNameTable.Change {
  fileprivate init?(_ text: Substring) {
    switch text.first {
    case "!": self = .status(.disallowed)
    case "~": self = .status(.ignored)
    case "=":
      let scalars = text.dropFirst().split(separator: ",").compactMap { UInt32($0, radix: 16) }
      self = .status(.mapped(scalars.compactMap { Unicode.Scalar($0) }))
    default:
      guard let distance = Int(text) else { return nil }
      self = .shift(distance)
    }
  }
}

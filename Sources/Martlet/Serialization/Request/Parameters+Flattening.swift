import Foundation

extension Parameters {
  /// Calls `visit` with each name and value in order.
  ///
  /// - Throws: `MartletError` with code `.invalidParameters` when the top level has no names, as a
  ///   query needs them (in place of REQ-Q17), or a number is not finite.
  func forEachPair(_ visit: (QueryStringPair) -> Void) throws(MartletError) {
    guard case .dictionary(let entries) = try resolved() else {
      throw .invalidParameters("a query or form needs names, so the top level must be a dictionary")
    }
    try Self.flatten(entries, under: nil, visit)
  }

  /// The same value with `encodable` replaced by what it encodes as.
  func resolved() throws(MartletError) -> Parameters {
    guard case .encodable(let value) = self else { return self }
    return try ParameterEncoder.encode(value)
  }

  private func flatten(_ field: String, _ visit: (QueryStringPair) -> Void) throws(MartletError) {
    switch self {
    case .dictionary(let entries): try Self.flatten(entries, under: field, visit)
    case .array(let elements):
      for element in elements { try element.flatten(field + "[]", visit) }
    case .set(let elements): try Self.flatten(set: elements, field, visit)
    case .encodable: try resolved().flatten(field, visit)
    default: visit(QueryStringPair(field: field, value: try leafText(of: field)))
    }
  }

  /// REQ-Q8, REQ-Q9: sorted by code point, `key` at the top and `field[key]` below.
  private static func flatten(
    _ entries: [String: Parameters], under field: String?, _ visit: (QueryStringPair) -> Void
  ) throws(MartletError) {
    for (key, value) in entries.sorted(by: { $0.key.precedes($1.key) }) {
      try value.flatten(field.map { "\($0)[\(key)]" } ?? key, visit)
    }
  }

  /// REQ-Q11: sorted as text, and all with the same name.
  private static func flatten(
    set elements: [Parameters], _ field: String, _ visit: (QueryStringPair) -> Void
  ) throws(MartletError) {
    var groups: [[QueryStringPair]] = []
    for element in elements {
      var group: [QueryStringPair] = []
      try element.flatten(field) { group.append($0) }
      groups.append(group)
    }
    for pair in groups.sorted(by: { $0.sortText.precedes($1.sortText) }).joined() { visit(pair) }
  }

  /// REQ-Q13, REQ-Q15: the text of a value that is no container, `nil` for null.
  private func leafText(of field: String) throws(MartletError) -> String? {
    switch self {
    case .bool(let value): return value ? "1" : "0"
    case .integer(let value): return String(value)
    case .unsigned(let value): return String(value)
    case .string(let value): return value
    case .double(let value): return try value.finiteText(at: field)
    case .date(let value): return try value.timeIntervalSince1970.finiteText(at: field)
    case .data(let value): return value.base64EncodedString()
    case .null, .array, .set, .dictionary, .encodable: return nil
    }
  }
}

extension Double {
  fileprivate func finiteText(at field: String) throws(MartletError) -> String {
    guard isFinite else {
      throw .invalidParameters("the number at “\(field.masked)” is not finite")
    }
    return numberText
  }
}

extension [QueryStringPair] {
  /// What an element of a set is sorted by.
  fileprivate var sortText: String {
    count == 1
      ? self[0].value ?? "" : map { $0.field + "=" + ($0.value ?? "") }.joined(separator: "&")
  }
}

extension String {
  /// Whether this text comes first, by code point and not by language; UTF-8 has the same order.
  func precedes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}

import MartletCore

/// Visits each value of the parameters with its full name (REQ-Q7).
struct ParameterFlattener {
  /// Receives a name and a value that is not a container. The value may be null.
  typealias Visitor = (_ field: String, _ value: Parameters) throws(MartletError) -> Void

  let encoding: ParameterEncoding

  /// Calls `visit` with each name and value in order.
  ///
  /// - Throws: `MartletError` with code `.invalidParameters` when the top level has no names (REQ-Q17 differs: there
  ///   the value gets an empty name), when a value fails to encode, or when a number or date in a set has no text; what
  ///   `visit` throws.
  func visit(_ parameters: Parameters, _ visit: Visitor) throws(MartletError) {
    switch try resolve(parameters) {
    case .dictionary(let entries): try flatten(sorted(entries), under: nil, visit)
    case .ordered(let entries): try flatten(arranged(entries), under: nil, visit)
    default:
      throw .invalidParameters("a query or form needs names, so the top level must be a dictionary")
    }
  }

  /// Returns the same value; an `encodable` is replaced by the parameters that it encodes to.
  private func resolve(_ parameters: Parameters) throws(MartletError) -> Parameters {
    guard case .encodable(let value) = parameters else { return parameters }
    return try resolve(ParameterEncoder.encode(value, keys: encoding.keys))
  }

  private func flatten(_ value: Parameters, _ field: String, _ visit: Visitor)
    throws(MartletError)
  {
    switch value {
    case .dictionary(let entries): try flatten(sorted(entries), under: field, visit)
    case .ordered(let entries): try flatten(arranged(entries), under: field, visit)
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        try flatten(element, encoding.arrays.name(of: index, in: field), visit)
      }
    case .set(let elements): try flatten(set: elements, field, visit)
    case .encodable: try flatten(resolve(value), field, visit)
    case .null: try visitNull(field, visit)
    default: try visit(field, value)
    }
  }

  /// REQ-Q9: `key` at the top and `field[key]` below.
  private func flatten(
    _ entries: [(String, Parameters)], under field: String?, _ visit: Visitor
  ) throws(MartletError) {
    for (key, value) in entries { try flatten(value, field.map { "\($0)[\(key)]" } ?? key, visit) }
  }

  /// REQ-Q8.
  private func sorted(_ entries: some Sequence<(key: String, value: Parameters)>)
    -> [(String, Parameters)]
  {
    entries.sorted { $0.key.precedes($1.key) }.map { ($0.key, $0.value) }
  }

  private func arranged(_ entries: [(String, Parameters)]) -> [(String, Parameters)] {
    encoding.order == .insertion ? entries : entries.sorted { $0.0.precedes($1.0) }
  }

  /// REQ-Q11: sorted as text, and all with the same name.
  private func flatten(set elements: [Parameters], _ field: String, _ visit: Visitor)
    throws(MartletError)
  {
    var groups: [(text: String, leaves: [(String, Parameters)])] = []
    for element in elements {
      var leaves: [(String, Parameters)] = []
      try flatten(element, field) { leaves.append(($0, $1)) }
      groups.append((try sortText(of: leaves), leaves))
    }
    for group in groups.sorted(by: { $0.text.precedes($1.text) }) {
      for (field, value) in group.leaves { try visit(field, value) }
    }
  }

  /// Returns the text by which an element of a set is sorted.
  private func sortText(of leaves: [(String, Parameters)]) throws(MartletError) -> String {
    var texts: [String] = []
    for (field, value) in leaves {
      let text = try encoding.text(of: value, at: field) ?? ""
      texts.append(leaves.count == 1 ? text : field + "=" + text)
    }
    return texts.joined(separator: "&")
  }

  private func visitNull(_ field: String, _ visit: Visitor) throws(MartletError) {
    switch encoding.nulls {
    case .nameOnly: try visit(field, .null)
    case .emptyValue: try visit(field, .string(""))
    case .word: try visit(field, .string("null"))
    case .omitted: break
    }
  }
}

extension ParameterEncoding.Arrays {
  fileprivate func name(of index: Int, in field: String) -> String {
    switch self {
    case .brackets: field + "[]"
    case .noBrackets: field
    case .indices: "\(field)[\(index)]"
    }
  }
}

extension String {
  /// Whether this text is sorted before another, by code point and not by language. The bytes of UTF-8 have the same
  /// order.
  func precedes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}

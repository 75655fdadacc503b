/// Adding fields at their paths.
extension JSONTree {
  /// Sets the value at a path, and creates the objects and arrays on the path. A null on the path is replaced by an
  /// object or an array.
  ///
  /// - Throws: `FieldNameError` when an earlier field has put a value of another kind on the path.
  mutating func set(_ path: FieldPath, to value: JSONTree) throws(FieldNameError) {
    try set(path, from: 0, to: value)
  }

  private mutating func set(_ path: FieldPath, from depth: Int, to value: JSONTree)
    throws(FieldNameError)
  {
    guard depth < path.steps.count else {
      self = value
      return
    }
    // `self` is null meanwhile, so that each container has one reference and is changed in place.
    switch path.steps[depth] {
    case .key(let name):
      var members = try members(on: path, at: depth)
      self = .null
      try members[name.quotedAsJSON].set(path, from: depth + 1, to: value)
      self = .object(members)
    case .index(let index):
      var elements = try elements(on: path, at: depth)
      self = .null
      elements += Array(repeating: .null, count: max(index + 1 - elements.count, 0))
      try elements[index].set(path, from: depth + 1, to: value)
      self = .array(elements)
    case .append:
      var elements = try elements(on: path, at: depth)
      self = .null
      var element = JSONTree.null
      try element.set(path, from: depth + 1, to: value)
      elements.append(element)
      self = .array(elements)
    }
  }

  private func members(on path: FieldPath, at depth: Int) throws(FieldNameError) -> Members {
    switch self {
    case .object(let members): return members
    case .written(let text) where kind == .object: return Members(written: text)
    case .written where kind == .null: return Members()
    default: throw mismatch(on: path, at: depth, needed: .object)
    }
  }

  private func elements(on path: FieldPath, at depth: Int) throws(FieldNameError) -> [JSONTree] {
    switch self {
    case .array(let elements): return elements
    case .written(let text) where kind == .array:
      return JSONParts(text).parts.map { .written($0.value) }
    case .written where kind == .null: return []
    default: throw mismatch(on: path, at: depth, needed: .array)
    }
  }

  private func mismatch(on path: FieldPath, at depth: Int, needed: Kind) -> FieldNameError {
    let range = path.ranges[depth]
    let before = String(String.UnicodeScalarView(path.name.unicodeScalars.prefix(range.lowerBound)))
    return FieldNameError(
      .mismatch(place: before, is: kind, needed: needed), in: path.name, at: range)
  }
}

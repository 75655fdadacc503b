/// The path of a field in a JSON body, parsed from the field's name.
///
///     path     = [ ( name | index | append ) *( key | index | append ) ]
///     name     = text | number
///     key      = "[" text "]"
///     index    = "[" number "]"
///     append   = "[" "]"
///
/// This is the grammar of HTTPie's nested JSON, with three differences. A name before the first bracket is taken as it
/// is written, while HTTPie turns `007` into `7`. Indices and nesting have limits. Fields can be added to an object
/// that was given as raw JSON, while HTTPie loses them.
struct FieldPath: Equatable {
  /// One step from a value to a value within it.
  enum Step: Equatable {
    case key(String)
    case index(Int)
    case append
  }

  /// The field's name, as it is written.
  let name: String
  let steps: [Step]
  /// The position of each step in the name, counted in Unicode scalars.
  let ranges: [Range<Int>]

  /// The largest index, which limits the size of arrays: missing elements before an index become null.
  static let largestIndex = 65_535
  /// The maximum number of nested levels.
  static let deepest = 256

  /// Reads a name.
  ///
  /// - Throws: `FieldNameError` when the name does not follow the grammar, or exceeds a limit.
  init(_ name: String) throws(FieldNameError) {
    var parser = FieldPathParser(name)
    var steps: [Step] = []
    var ranges: [Range<Int>] = []
    repeat {
      let (step, range) = try parser.next(isFirst: steps.isEmpty)
      steps.append(step)
      ranges.append(range)
      guard steps.count <= Self.deepest else { throw FieldNameError(.tooDeep, in: name, at: range) }
    } while !parser.isAtEnd
    (self.name, self.steps, self.ranges) = (name, steps, ranges)
  }
}

/// Reads the steps of a name one after another.
private struct FieldPathParser {
  private let name: String
  private let tokens: [FieldNameToken]
  private var index = 0

  init(_ name: String) {
    self.name = name
    tokens = FieldNameToken.all(of: name)
  }

  var isAtEnd: Bool { index == tokens.count }

  mutating func next(isFirst: Bool) throws(FieldNameError) -> (FieldPath.Step, Range<Int>) {
    // A name may be empty.
    guard !tokens.isEmpty else { return (.key(""), 0..<0) }
    let first = try expect(isFirst ? [.text, .number, .open] : [.open])
    guard first.kind == .open else { return (.key(first.text), first.range) }
    let content = try expect(isFirst ? [.number, .close] : [.text, .number, .close])
    guard content.kind != .close else {
      return (.append, first.range.lowerBound..<content.range.upperBound)
    }
    let step: FieldPath.Step =
      content.kind == .number ? .index(try number(content)) : .key(content.text)
    let last = try expect([.close])
    return (step, first.range.lowerBound..<last.range.upperBound)
  }

  private mutating func expect(_ kinds: [FieldNameToken.Kind]) throws(FieldNameError)
    -> FieldNameToken
  {
    guard index < tokens.count else {
      let end = tokens.last?.range.upperBound ?? 0
      throw FieldNameError(.expected(kinds), in: name, at: end..<end + 1)
    }
    let token = tokens[index]
    guard kinds.contains(token.kind) else {
      throw FieldNameError(.expected(kinds), in: name, at: token.range)
    }
    index += 1
    return token
  }

  private func number(_ token: FieldNameToken) throws(FieldNameError) -> Int {
    guard !token.text.hasPrefix("-") else {
      throw FieldNameError(.negativeIndex, in: name, at: token.range)
    }
    guard let number = Int(token.text), number <= FieldPath.largestIndex else {
      throw FieldNameError(.largeIndex, in: name, at: token.range)
    }
    return number
  }
}

/// Checks the order of the tokens of a JSON text (RFC 8259 §2).
///
/// It has its own stack of brackets, so that a deeply nested text cannot exhaust the call stack.
struct JSONGrammar {
  private enum Expectation {
    case value, valueOrEnd, key, keyOrEnd, colon, commaOrEnd
  }

  /// The brackets that are open, the innermost last.
  private(set) var open: [JSONLexer.Kind] = []
  private var expectation = Expectation.value
  private var isOver = false

  /// Whether the text is complete.
  var isComplete: Bool { isOver }

  /// Whether the next token, when it is a string, is the name of a member.
  var expectsKey: Bool { expectation == .key || expectation == .keyOrEnd }

  /// Accepts a token of this kind if it may come next, and returns whether it was accepted.
  mutating func accept(_ kind: JSONLexer.Kind) -> Bool {
    guard !isOver else { return false }
    switch kind {
    case .openObject, .openArray: return begin(kind)
    case .closeObject, .closeArray: return end(kind)
    case .string where expectsKey:
      expectation = .colon
      return true
    case .string, .number, .literal: return endValue()
    case .colon:
      guard expectation == .colon else { return false }
      expectation = .value
      return true
    case .comma:
      guard expectation == .commaOrEnd else { return false }
      expectation = open.last == .openObject ? .key : .value
      return true
    }
  }

  private var expectsValue: Bool { expectation == .value || expectation == .valueOrEnd }

  private mutating func begin(_ kind: JSONLexer.Kind) -> Bool {
    guard expectsValue else { return false }
    open.append(kind)
    expectation = kind == .openObject ? .keyOrEnd : .valueOrEnd
    return true
  }

  private mutating func end(_ kind: JSONLexer.Kind) -> Bool {
    let (opening, empty): (JSONLexer.Kind, Expectation) =
      kind == .closeObject ? (.openObject, .keyOrEnd) : (.openArray, .valueOrEnd)
    guard open.last == opening, expectation == empty || expectation == .commaOrEnd else {
      return false
    }
    open.removeLast()
    expectation = .value
    return endValue()
  }

  private mutating func endValue() -> Bool {
    guard expectsValue else { return false }
    expectation = .commaOrEnd
    isOver = open.isEmpty
    return true
  }
}

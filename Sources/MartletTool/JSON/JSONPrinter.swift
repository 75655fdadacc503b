/// Formats a JSON text with line breaks and indentation.
///
/// It works on the tokens, so numbers, escapes and the order of members do not change. Characters that control a
/// terminal become escapes. A text that is not JSON is not formatted.
struct JSONPrinter {
  var palette = Palette.plain
  /// Blanks for each level. The default is 2.
  var indentation = 2

  private static let deepest = 100

  /// The formatted text, or `nil` when it is not JSON.
  func print(_ text: [UInt8]) -> [UInt8]? {
    try? layOut(text)
  }

  private func layOut(_ text: [UInt8]) throws(JSONLexer.Malformed) -> [UInt8] {
    var lexer = JSONLexer(text)
    var grammar = JSONGrammar()
    var output: [UInt8] = []
    output.reserveCapacity(text.count + text.count / 2)
    var previous: JSONLexer.Kind?
    while let next = try lexer.next() {
      let isKey = grammar.expectsKey
      guard grammar.accept(next.kind) else { throw JSONLexer.Malformed() }
      if breaksLine(previous, next.kind) { newLine(grammar, after: next.kind, &output) }
      write(next, of: lexer.bytes, isKey: isKey, &output)
      previous = next.kind
    }
    guard grammar.isComplete else { throw JSONLexer.Malformed() }
    return output
  }

  /// Whether a text is JSON.
  static func isJSON(_ text: String) -> Bool {
    var lexer = JSONLexer(Array(text.utf8))
    var grammar = JSONGrammar()
    do throws(JSONLexer.Malformed) {
      while let token = try lexer.next() {
        guard grammar.accept(token.kind) else { return false }
      }
    } catch {
      return false
    }
    return grammar.isComplete
  }

  /// Empty objects and arrays stay on one line.
  private func breaksLine(_ previous: JSONLexer.Kind?, _ next: JSONLexer.Kind) -> Bool {
    switch (previous, next) {
    case (.openObject?, .closeObject), (.openArray?, .closeArray): false
    case (.openObject?, _), (.openArray?, _), (.comma?, _): true
    case (_, .closeObject), (_, .closeArray): true
    default: false
    }
  }

  private func newLine(
    _ grammar: JSONGrammar, after kind: JSONLexer.Kind, _ output: inout [UInt8]
  ) {
    let isOpening = kind == .openObject || kind == .openArray
    let depth = min(grammar.open.count - (isOpening ? 1 : 0), Self.deepest)
    output.append(UInt8(ascii: "\n"))
    output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * indentation))
  }

  private func write(
    _ token: JSONLexer.Token, of bytes: [UInt8], isKey: Bool, _ output: inout [UInt8]
  ) {
    let colour: Palette.Colour? =
      switch token.kind {
      case .string: isKey ? .key : .string
      case .number: .number
      case .literal: .literal
      default: nil
      }
    if let colour { output.append(contentsOf: palette.start(colour).utf8) }
    if token.kind == .string, !bytes[token.range].allSatisfy({ 0x20..<0x7F ~= $0 }) {
      let text = String(decoding: bytes[token.range], as: UTF8.self)
      output.append(contentsOf: text.visibleJSON.utf8)
    } else {
      output.append(contentsOf: bytes[token.range])
    }
    if colour != nil { output.append(contentsOf: palette.end.utf8) }
    if token.kind == .colon { output.append(UInt8(ascii: " ")) }
  }
}

import EssentialFoundation

/// A header field of a value and its parameters: `attachment; filename="a;b.txt"` (RFC 9110 §5.6.6).
package struct FieldParameters {
  /// What stands before the first semicolon, in lower case.
  package let value: String
  private let parameters: [String: String]

  /// The parameter of that name, which is given in lower case; of two the first counts.
  package subscript(name: String) -> String? { parameters[name] }

  /// The parts of a field; what is no parameter is passed over.
  package init(_ field: String) {
    var lexer = FieldLexer(field)
    value = lexer.take(to: ";").trimmingBlanks.lowercased()
    var parameters: [String: String] = [:]
    while !lexer.isAtEnd {
      let part = lexer.take(to: ";")
      guard let equals = part.firstIndex(of: "=") else { continue }
      let name = part[..<equals].trimmingBlanks.lowercased()
      let value = part[part.index(after: equals)...].trimmingBlanks.unquoted
      if parameters[name] == nil { parameters[name] = value }
    }
    self.parameters = parameters
  }
}

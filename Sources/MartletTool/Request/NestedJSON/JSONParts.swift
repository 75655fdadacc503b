import Foundation

/// The members of a JSON object, or the elements of an array, each as it was written.
struct JSONParts {
  struct Part: Equatable {
    /// The name of a member, in quotation marks; `nil` for an element.
    var name: String?
    var value: String
  }

  private(set) var parts: [Part] = []

  /// - Parameter text: An object or an array, which is valid JSON.
  init(_ text: String) {
    var lexer = JSONLexer(Array(text.utf8))
    var depth = 0
    var name: Range<Int>?
    var value: Range<Int>?
    while let token = try? lexer.next() {
      if token.kind == .closeObject || token.kind == .closeArray { depth -= 1 }
      switch (token.kind, depth) {
      case (.openObject, 0), (.openArray, 0): break
      case (.comma, 1), (.closeObject, 0), (.closeArray, 0):
        if let value {
          let written = { String(decoding: lexer.bytes[$0], as: UTF8.self) }
          parts.append(Part(name: name.map(written), value: written(value)))
        }
        (name, value) = (nil, nil)
      case (.colon, 1): (name, value) = (value, nil)
      default: value = (value?.lowerBound ?? token.range.lowerBound)..<token.range.upperBound
      }
      if token.kind == .openObject || token.kind == .openArray { depth += 1 }
    }
  }
}

extension JSONTree.Members {
  /// The members of an object that was written as JSON. Of several with one name the last counts.
  init(written text: String) {
    self.init()
    for part in JSONParts(text).parts {
      self[Self.name(part.name ?? "\"\"")] = .written(part.value)
    }
  }

  /// A name as all fields spell it; one that is no text, such as half a surrogate pair, as it was written.
  private static func name(_ written: String) -> String {
    (try? JSONDecoder().decode(String.self, from: Data(written.utf8)))?.quotedAsJSON ?? written
  }
}

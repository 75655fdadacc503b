import Testing

@testable import MartletCore

/// What header fields are made of (RFC 9110 §5.6).
struct FieldLexerTests {
  @Test(
    arguments: [
      ("a, b ,\tc", ["a", "b", "c"]), ("a,,\"b,c\" , ", ["a", "\"b,c\""]), ("", []), (" , ", []),
      ("\"a\\\",b\",c", ["\"a\\\",b\"", "c"]), ("\"open, b", ["\"open, b"]), ("é,ü", ["é", "ü"]),
      ("a\\,b", ["a\\", "b"]),
    ])
  func `a list is split at its commas, but for those in quoted strings`(
    field: String, elements: [String]
  ) {
    #expect(field.fieldElements() == elements)
  }

  @Test(
    arguments: [
      ("\"a b\"", "a b"), ("\"a\\\"b\\\\\"", "a\"b\\"), ("\"open", "open"), ("a", "a"), ("", ""),
      ("\"\"", ""), ("\"end\\", "end\\"),
    ])
  func `a quoted string stands for its text`(field: String, text: String) {
    #expect(field.unquoted == text)
  }

  @Test func `tokens, blanks and characters are read one after another`() {
    var lexer = FieldLexer("gzip ;\tq = 0.5")
    let coding = lexer.token()
    let passes = [lexer.skip(";"), lexer.skip("=")]
    let name = lexer.token()
    let hasValue = lexer.skip("=")
    let quoted = lexer.quotedString()
    let value = lexer.token()
    #expect(coding == "gzip" && name == "q" && value == "0.5")
    #expect(passes == [true, false] && hasValue)
    #expect(quoted == nil)
    #expect(lexer.isAtEnd)
  }

  @Test(
    arguments: [
      ("a%20b", "a b"), ("%C3%BC", "ü"), ("a", "a"), ("%", nil), ("%4", nil), ("%zz", nil),
      ("%C3", nil),
    ] as [(String, String?)])
  func `escapes stand for UTF8`(text: String, decoded: String?) {
    #expect(text.percentDecoded == decoded)
  }
}

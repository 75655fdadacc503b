import Testing

@testable import MartletTool

struct JSONPrinterTests {
  private func print(_ text: String, _ palette: Palette = .plain) -> String? {
    JSONPrinter(palette: palette).print(Array(text.utf8)).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  @Test func `objects and arrays go over several lines, empty ones do not`() {
    #expect(
      print(#"{"b":1,"a":[true,null,{}],"c":{"d":[ ]}}"#)
        == """
        {
          "b": 1,
          "a": [
            true,
            null,
            {}
          ],
          "c": {
            "d": []
          }
        }
        """)
  }

  @Test func `numbers, escapes and order stay as they are`() {
    let text = #"{"z": 1.500e+10, "a": 123456789012345678901234567890, "z": "\u00fc\/ü"}"#
    #expect(
      print(text)
        == """
        {
          "z": 1.500e+10,
          "a": 123456789012345678901234567890,
          "z": "\\u00fc\\/ü"
        }
        """)
  }

  @Test(arguments: ["1", "-0.5", "0", "10", "1E5", "\"x\"", "true", " null ", "[]", "{}"])
  func `any value may stand alone`(text: String) {
    #expect(print(text) == text.filter { $0 != " " })
  }

  @Test(arguments: [
    "", " ", "{", "}", "[1,]", "{,}", "{\"a\"}", "{\"a\":}", "{1:2}", "{\"a\":1,}", "[1 2]", "1 2",
    "01", "-", "1.", ".5", "1e", "+1", "tru", "True", "'a'", "\"a", "\"\n\"", "\"\\x\"",
    "\"\\u12g4\"", "[}", "{]", "[]]", "NaN", "\"a\" \"b\"", "[\"a\":1]", "\u{FEFF}1",
  ])
  func `what is not JSON is left alone`(text: String) {
    #expect(print(text) == nil)
  }

  @Test func `nesting without end does not exhaust the stack`() {
    let text = String(repeating: "[", count: 2_000) + String(repeating: "]", count: 2_000)
    #expect(print(text)?.filter { $0 == "[" }.count == 2_000)
  }

  @Test func `on a terminal kinds of values have colours`() {
    #expect(
      print(#"{"a":["b",1,null]}"#, .coloured)
        == "{\n  \u{1B}[34m\"a\"\u{1B}[0m: [\n    \u{1B}[32m\"b\"\u{1B}[0m,\n    \u{1B}[36m1\u{1B}[0m,\n    \u{1B}[35mnull\u{1B}[0m\n  ]\n}"
    )
  }
}

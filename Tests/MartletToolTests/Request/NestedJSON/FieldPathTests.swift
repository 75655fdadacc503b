import Testing

@testable import MartletTool

/// The grammar of fields' names.
struct FieldPathTests {
  @Test(
    arguments: [
      ("", []), ("user", [.text("user", 0..<4)]), ("007", [.number("007", 0..<3)]),
      ("-1", [.number("-1", 0..<2)]), ("+1", [.number("+1", 0..<2)]), ("1a", [.text("1a", 0..<2)]),
      ("-", [.text("-", 0..<1)]),
      (
        "a[b]",
        [.text("a", 0..<1), .open(1), .text("b", 2..<3), .close(3)]
      ),
      ("a[]", [.text("a", 0..<1), .open(1), .close(2)]),
      (#"a\[b\]"#, [.text("a[b]", 0..<6)]), (#"a\\"#, [.text(#"a\"#, 0..<3)]),
      (#"a\"#, [.text(#"a\"#, 0..<2)]), (#"a\b"#, [.text(#"a\b"#, 0..<3)]),
      (#"\1"#, [.text("1", 0..<2)]), (#"\-1"#, [.text("-1", 0..<3)]),
      (#"\1a"#, [.text(#"\1a"#, 0..<3)]), (#"\\1"#, [.text(#"\1"#, 0..<3)]),
      (#"\\\1"#, [.text(#"\\1"#, 0..<4)]), (#"1\\"#, [.text(#"1\"#, 0..<3)]),
      (" 1", [.text(" 1", 0..<2)]),
      ("ü[日]", [.text("ü", 0..<1), .open(1), .text("日", 2..<3), .close(3)]),
    ] as [(String, [FieldNameToken])])
  func `a name is cut at its brackets, but for those behind a backslash`(
    name: String, tokens: [FieldNameToken]
  ) {
    #expect(FieldNameToken.all(of: name) == tokens)
  }

  @Test(
    arguments: [
      ("", [.key("")]), ("a", [.key("a")]), ("007", [.key("007")]), ("-1", [.key("-1")]),
      ("a[b]", [.key("a"), .key("b")]), ("a[0]", [.key("a"), .index(0)]),
      ("a[007]", [.key("a"), .index(7)]), ("a[+1]", [.key("a"), .index(1)]),
      (#"a[\0]"#, [.key("a"), .key("0")]), ("a[]", [.key("a"), .append]),
      ("a[][b][1]", [.key("a"), .append, .key("b"), .index(1)]),
      ("[]", [.append]), ("[2]", [.index(2)]), ("[][a]", [.append, .key("a")]),
      ("a[b c]", [.key("a"), .key("b c")]), (#"a[\[x\]]"#, [.key("a"), .key("[x]")]),
      ("a[65535]", [.key("a"), .index(65_535)]),
    ] as [(String, [FieldPath.Step])])
  func `a name is a path into the body`(name: String, steps: [FieldPath.Step]) throws {
    #expect(try FieldPath(name).steps == steps)
  }

  @Test(arguments: [
    ("a[", "a name, a number or “]”", "a[", "  ^"),
    ("a[1", "“]”", "a[1", "   ^"),
    ("a[text", "“]”", "a[text", "      ^"),
    ("a[b][", "a name, a number or “]”", "a[b][", "     ^"),
    ("a[[b]]", "a name, a number or “]”", "a[[b]]", "  ^"),
    ("a]", "“[” or its end", "a]", " ^"),
    ("a[b]]", "“[” or its end", "a[b]]", "    ^"),
    ("a[b]tail[c]", "“[” or its end", "a[b]tail[c]", "    ^^^^"),
    (#"a[b]\[c"#, "“[” or its end", #"a[b]\[c"#, "    ^^^"),
    ("[a]", "a number or “]”", "[a]", " ^"),
    ("[", "a number or “]”", "[", " ^"),
    ("]", "a name, a number or “[”", "]", "^"),
    (#"a[b\]"#, "“]”", #"a[b\]"#, "     ^"),
    ("a\u{1B}[", "a name, a number or “]”", "a\\u{1b}[", "        ^"),
    ("e\u{301}[", "a name, a number or “]”", "e\u{301}[", "  ^"),
  ])
  func `a name that breaks the grammar is refused, with the place underlined`(
    name: String, needed: String, shown: String, underline: String
  ) {
    let error = #expect(throws: FieldNameError.self) { try FieldPath(name) }
    #expect(
      error?.message == """
        The field's name needs \(needed) here: write \\[ and \\] for brackets that belong to the name.
          \(shown)
          \(underline)
        """)
  }

  @Test(arguments: [
    (
      "a[-1]",
      "An index cannot be negative: count from 0, or write a backslash before it to make it a name.",
      "    ^^"
    ),
    (
      "a[65536]",
      "The index is larger than 65535: write a smaller one, or a backslash before it to make it a name.",
      "    ^^^^^"
    ),
    (
      "[99999999999999999999]",
      "The index is larger than 65535: write a smaller one, or a backslash before it to make it a name.",
      "   ^^^^^^^^^^^^^^^^^^^^"
    ),
  ])
  func `an index has limits`(name: String, sentence: String, underline: String) {
    let error = #expect(throws: FieldNameError.self) { try FieldPath(name) }
    #expect(error?.message == "\(sentence)\n  \(name)\n\(underline)")
  }

  @Test func `nesting has a limit`() throws {
    #expect(try FieldPath(String(repeating: "[]", count: 256)).steps.count == 256)
    let error = #expect(throws: FieldNameError.self) {
      try FieldPath(String(repeating: "[]", count: 60_000))
    }
    #expect(error?.problem == .tooDeep)
    #expect(
      error?.message
        == "The field lies more than 256 levels deep: write the JSON into a file, and send it with @file."
    )
  }
}

extension FieldNameToken {
  fileprivate static func text(_ text: String, _ range: Range<Int>) -> Self {
    FieldNameToken(kind: .text, text: text, range: range)
  }

  fileprivate static func number(_ text: String, _ range: Range<Int>) -> Self {
    FieldNameToken(kind: .number, text: text, range: range)
  }

  fileprivate static func open(_ index: Int) -> Self {
    FieldNameToken(kind: .open, text: "[", range: index..<index + 1)
  }

  fileprivate static func close(_ index: Int) -> Self {
    FieldNameToken(kind: .close, text: "]", range: index..<index + 1)
  }
}

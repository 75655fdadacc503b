import Testing

@testable import MartletTool

/// Text of several lines that a terminal would obey.
struct VisibleTextTests {
  @Test(arguments: [
    ("a\tb\nc\r\nd\n", "a\tb\nc\r\nd\n"),
    ("a\rb", "a\\u{d}b"),
    ("a\r", "a\\u{d}"),
    ("a\r\r\nb", "a\\u{d}\r\nb"),
    ("\u{1B}[2J\r\n\u{7}", "\\u{1b}[2J\r\n\\u{7}"),
    ("\u{9B}2J\u{202E}x", "\\u{9b}2J\\u{202e}x"),
    ("a\u{C}b\u{B}c", "a\\u{c}b\\u{b}c"),
    ("e\u{301} 👩‍👩‍👧", "e\u{301} 👩‍👩‍👧"),
  ])
  func `lines and tabs stay, everything else that a terminal would obey is written out`(
    text: String, visible: String
  ) {
    #expect(Array(text.visibleLines.unicodeScalars) == Array(visible.unicodeScalars))
  }

  @Test(.timeLimit(.minutes(1)))
  func `a million lines that begin with an escape are written out in linear time`() {
    let text = String(repeating: "\u{1B}\n", count: 1_000_000)
    #expect(text.visibleLines.utf8.count == 7_000_000)
  }

  @Test(arguments: [
    ("\"a\u{7F}b\u{9B}2J\"", #""a\u007fb\u009b2J""#),
    ("\"exe.\u{202E}gpj\"", #""exe.\u202egpj""#),
    (#""\u001b[2J ü""#, #""\u001b[2J ü""#),
  ])
  func `JSON has escapes of its own`(text: String, visible: String) {
    #expect(text.visibleJSON == visible)
  }
}

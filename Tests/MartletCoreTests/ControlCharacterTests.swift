import MartletCore
import Testing

/// Text from elsewhere that a terminal would obey.
struct ControlCharacterTests {
  @Test(arguments: [
    ("a\u{1B}[2Jb", "a\\u{1b}[2Jb"),
    ("\u{1B}]0;title\u{7}", "\\u{1b}]0;title\\u{7}"),
    ("a\rb\nc\td", "a\\u{d}b\\u{a}c\\u{9}d"),
    ("\0\u{8}\u{7F}", "\\u{0}\\u{8}\\u{7f}"),
    // C1: CSI and OSC in one character.
    ("\u{9B}2J\u{9D}0;x\u{9C}\u{80}\u{9F}", "\\u{9b}2J\\u{9d}0;x\\u{9c}\\u{80}\\u{9f}"),
    // What turns the direction of a text.
    ("exe.\u{202E}gpj", "exe.\\u{202e}gpj"),
    (
      "\u{61C}\u{200E}\u{200F}\u{202A}\u{202B}\u{202C}\u{202D}",
      "\\u{61c}\\u{200e}\\u{200f}\\u{202a}\\u{202b}\\u{202c}\\u{202d}"
    ),
    ("\u{2066}\u{2067}\u{2068}\u{2069}", "\\u{2066}\\u{2067}\\u{2068}\\u{2069}"),
  ])
  func `what a terminal would obey is written out`(text: String, visible: String) {
    #expect(text.escapingControlCharacters == visible)
    #expect(text.masked == visible)
  }

  @Test(arguments: [
    "", "Grüße", "\u{A0}\u{AD}", "👩‍👩‍👧", "می\u{200C}خواهم", "שלום", "日本", "e\u{301}", "\\u{1b}",
  ])
  func `everything else stays as it is`(text: String) {
    #expect(text.escapingControlCharacters.unicodeScalars.elementsEqual(text.unicodeScalars))
  }

  @Test(.timeLimit(.minutes(1)))
  func `a million control characters are written out in linear time`() {
    let text = String(repeating: "\u{1B}", count: 1_000_000)
    #expect(text.escapingControlCharacters.utf8.count == 6_000_000)
  }

  @Test func `each control character and each bidirectional control is found`() {
    for value in UInt32(0)..<0x3000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isControl = scalar.properties.generalCategory == .control
      #expect(
        scalar.isTerminalControl == (isControl || scalar.properties.isBidiControl), "\(value)")
    }
  }

  @Test func `an error's sentence holds nothing that a terminal would obey`() {
    #expect(MartletError(.tlsFailed, "a\u{1B}[2J\nb").message == "a\\u{1b}[2J\\u{a}b")
    let wrongHost = TrustProblem(.wrongHost(names: ["\u{1B}]0;evil\u{7}"])).error(host: "h")
    #expect(wrongHost.message.contains("is for “\\u{1b}]0;evil\\u{7}”"))
    let holder = TrustProblem(.expired(on: "2026-01-31"), subject: "\u{9B}2J").error(host: "h")
    #expect(holder.message.hasPrefix("The certificate of “\\u{9b}2J”, above that of “h”, "))
  }
}

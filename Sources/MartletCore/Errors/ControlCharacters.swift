extension String {
  /// The text on one line, with terminal control characters escaped, such as `\u{1b}`.
  package var escapingControlCharacters: String { escapingControlCharacters(with: \.escapedText) }

  /// Returns the text with terminal control characters replaced.
  ///
  /// - Parameter write: Returns the replacement of one control character.
  /// - Returns: A text without terminal control characters, provided that the replacements contain none.
  package func escapingControlCharacters(with write: (Unicode.Scalar) -> String) -> String {
    guard unicodeScalars.contains(where: \.isTerminalControl) else { return self }
    var visible = ""
    for scalar in unicodeScalars {
      visible += scalar.isTerminalControl ? write(scalar) : String(scalar)
    }
    return visible
  }
}

extension Unicode.Scalar {
  /// Whether a terminal interprets the character instead of showing it, or reorders the text around it.
  ///
  /// These are the controls C0, DEL and C1 (ECMA-48 §5.2, §5.3), and the bidirectional controls (UAX #9 §2).
  package var isTerminalControl: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0: true
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// The character as a Swift escape: `\u{1b}`.
  package var escapedText: String { "\\u{\(String(value, radix: 16))}" }
}

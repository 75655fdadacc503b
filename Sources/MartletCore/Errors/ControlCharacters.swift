extension String {
  /// The text on one line, with what a terminal would obey written out, such as `\u{1b}`.
  package var escapingControlCharacters: String { escapingControlCharacters(with: \.escapedText) }

  /// The text with what a terminal would obey written out.
  ///
  /// - Parameter write: How one such character is written out.
  /// - Returns: A text with nothing left that a terminal would obey, if `write` gives none.
  package func escapingControlCharacters(with write: (Unicode.Scalar) -> String) -> String {
    guard unicodeScalars.contains(where: \.isTerminalControl) else { return self }
    var visible = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar.isTerminalControl {
        visible.append(contentsOf: write(scalar).unicodeScalars)
      } else {
        visible.append(scalar)
      }
    }
    return String(visible)
  }
}

extension Unicode.Scalar {
  /// Whether a terminal obeys the character in place of showing it, or reorders the text around it: the
  /// controls C0, DEL and C1 (ECMA-48 §5.2, §5.3), and the bidirectional controls (UAX #9 §2).
  package var isTerminalControl: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0: true
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// The character's number as Swift writes it: `\u{1b}`.
  package var escapedText: String { "\\u{\(String(value, radix: 16))}" }
}

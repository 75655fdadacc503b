import MartletCore

extension String {
  /// The text of several lines, with what a terminal would obey written out, such as `\u{1b}`: all but tabs and
  /// the ends of lines. A carriage return alone ends no line, it has the terminal write over it.
  var visibleLines: String {
    var visible = String.UnicodeScalarView()
    var rest = unicodeScalars[...]
    while let scalar = rest.popFirst() {
      let isLayout =
        scalar == "\n" || scalar == "\t" || (scalar == "\r" && rest.first == "\n")
      if scalar.isTerminalControl, !isLayout {
        visible.append(contentsOf: scalar.writtenOut.unicodeScalars)
      } else {
        visible.append(scalar)
      }
    }
    return String(visible)
  }

  /// A JSON text with what a terminal would obey as JSON's own escapes, such as `\u001b` (RFC 8259 §7).
  var visibleJSON: String {
    visible { scalar in
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
}

import MartletCore

/// The colours of a terminal, or none.
enum Palette: Equatable, Sendable {
  case plain
  case coloured

  /// What colours distinguish.
  enum Colour: Int {
    case key = 34
    case string = 32
    case number = 36
    case literal = 35
    case good = 92
    case notable = 93
    case bad = 91
    case faint = 90
  }

  /// What begins a colour.
  func start(_ colour: Colour) -> String {
    self == .plain ? "" : "\u{1B}[\(colour.rawValue)m"
  }

  /// What ends any colour.
  var end: String { self == .plain ? "" : "\u{1B}[0m" }

  func paint(_ text: String, _ colour: Colour) -> String {
    start(colour) + text + end
  }
}

extension Palette {
  /// Whether the user wants no colours, as `NO_COLOR` says (https://no-color.org).
  static func isUnwanted(in environment: [String: String]) -> Bool {
    environment["NO_COLOR"].map { !$0.isEmpty } ?? false
  }
}

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
        visible.append(contentsOf: scalar.escapedText.unicodeScalars)
      } else {
        visible.append(scalar)
      }
    }
    return String(visible)
  }

  /// A JSON text with what a terminal would obey as JSON's own escapes, such as `\u001b` (RFC 8259 §7).
  var visibleJSON: String {
    escapingControlCharacters { scalar in
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
}

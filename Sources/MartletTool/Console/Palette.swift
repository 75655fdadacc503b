import MartletCore

/// The colours of a terminal, or none.
enum Palette: Equatable, Sendable {
  case plain
  case coloured

  /// The colours, named for their use.
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

  /// The escape sequence that begins a colour.
  func start(_ colour: Colour) -> String {
    self == .plain ? "" : "\u{1B}[\(colour.rawValue)m"
  }

  /// The escape sequence that ends any colour.
  var end: String { self == .plain ? "" : "\u{1B}[0m" }

  func paint(_ text: String, _ colour: Colour) -> String {
    start(colour) + text + end
  }
}

extension Palette {
  /// Whether `NO_COLOR` turns colours off (https://no-color.org).
  static func isUnwanted(in environment: [String: String]) -> Bool {
    environment["NO_COLOR"].map { !$0.isEmpty } ?? false
  }
}

extension String {
  /// The text with characters that control a terminal escaped, such as `\u{1b}`, except tabs and line ends.
  ///
  /// A carriage return without a line feed is escaped, because it makes the terminal overwrite the line.
  var visibleLines: String {
    var visible = ""
    var rest = unicodeScalars[...]
    while let scalar = rest.popFirst() {
      let isLayout =
        scalar == "\n" || scalar == "\t" || (scalar == "\r" && rest.first == "\n")
      visible += scalar.isTerminalControl && !isLayout ? scalar.escapedText : String(scalar)
    }
    return visible
  }

  /// The JSON text with characters that control a terminal as JSON escapes, such as `\u001b` (RFC 8259 §7).
  var visibleJSON: String {
    escapingControlCharacters { scalar in
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
}

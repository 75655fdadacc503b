/// The colours of a terminal, or none.
enum Palette: Equatable, Sendable {
  case plain
  case coloured

  /// What is told apart by colour.
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

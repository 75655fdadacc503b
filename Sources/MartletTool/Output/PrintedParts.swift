/// The parts of an exchange that go to standard output, by the letters of `--print`.
struct PrintedParts: OptionSet {
  let rawValue: Int

  static let requestHead = PrintedParts(rawValue: 1)
  static let requestBody = PrintedParts(rawValue: 2)
  static let responseHead = PrintedParts(rawValue: 4)
  static let responseBody = PrintedParts(rawValue: 8)
  static let timing = PrintedParts(rawValue: 16)

  /// The parts of the request.
  static let request: PrintedParts = [.requestHead, .requestBody]

  private static let letters: [Character: PrintedParts] = [
    "H": .requestHead, "B": .requestBody, "h": .responseHead, "b": .responseBody, "m": .timing,
  ]

  init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// The parts that letters stand for; `nil` when one of them stands for none.
  init?(letters: String) {
    var parts: PrintedParts = []
    for letter in letters {
      guard let part = Self.letters[letter] else { return nil }
      parts.insert(part)
    }
    self = parts
  }
}

import MartletEssentials

/// The parts to print on standard output, and where the response's body goes.
struct OutputPlan: Equatable {
  /// How parts are printed.
  enum Form: Equatable {
    /// Byte for byte.
    case bytes
    /// Formatted for reading. Characters that control a terminal are escaped.
    case reading
  }

  /// Where the response's body goes.
  enum BodyPlan: Equatable {
    case nothing
    case printed
    /// To the path given.
    case file(String)
    /// To a file whose name may come from the response.
    case download(String?)
  }

  /// The parts of the exchange that are printed.
  let printed: PrintedParts
  let form: Form
  let body: BodyPlan

  /// The plan for options.
  ///
  /// By default, a terminal shows the whole response, or only its body if `--verbose` prints the head anyway. A pipe
  /// gets the body. With `--offline` and `--as-curl` there is no response, and the request is shown.
  init(_ options: OutputOptions, isTerminal: Bool) {
    form = isTerminal && options.output != "-" ? .reading : .bytes
    printed = options.printedParts ?? Self.usual(options, isTerminal: isTerminal)
    if options.download {
      body = .download(options.output)
    } else if let path = options.output, path != "-" {
      body = .file(path)
    } else {
      body = printed.contains(.responseBody) ? .printed : .nothing
    }
  }

  private static func usual(_ options: OutputOptions, isTerminal: Bool) -> PrintedParts {
    if options.isOffline { return .request }
    if options.output == "-" { return .responseBody }
    if options.download || options.output != nil { return [] }
    if options.headers { return .responseHead }
    let isBodyAlone = !isTerminal || options.body || options.verbose
    return isBodyAlone ? .responseBody : [.responseHead, .responseBody]
  }

  /// Checks that a body that is printed can be read again after it was sent.
  ///
  /// - Throws: `ToolFailure` for a body that can be read only once.
  func check(_ body: RequestBody) throws(ToolFailure) {
    guard printed.contains(.requestBody), !body.isReplayable else { return }
    throw .usage(
      "The body on standard input is sent while it is read, so that it cannot be printed: leave B out of --print, or send a file with @file."
    )
  }
}

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

  /// The parts that the letters select; `nil` when a letter is unknown.
  init?(letters: String) {
    var parts: PrintedParts = []
    for letter in letters {
      guard let part = Self.letters[letter] else { return nil }
      parts.insert(part)
    }
    self = parts
  }
}

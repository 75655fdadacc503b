/// The arguments as the system passes them: bytes.
enum ArgumentText {
  /// Finds out whether all arguments are text. Swift replaces bytes that are none by U+FFFD, and another URL or
  /// another value would be sent.
  ///
  /// - Throws: `ToolFailure` for the first that is not UTF-8.
  static func check() throws(ToolFailure) {
    for position in 1..<max(Int(CommandLine.argc), 1) {
      guard let bytes = CommandLine.unsafeArgv[position] else { return }
      guard String(validatingCString: bytes) != nil else { throw .notText(position) }
    }
  }
}

extension ToolFailure {
  fileprivate static func notText(_ position: Int) -> ToolFailure {
    .usage(
      "Argument \(position) is not text in UTF-8: write it in UTF-8, or percent-encode it in a URL."
    )
  }
}

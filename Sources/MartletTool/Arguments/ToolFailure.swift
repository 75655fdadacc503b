/// Why the tool gives up: one sentence, and the exit status that goes with it.
struct ToolFailure: Error, Equatable {
  let message: String
  let status: ExitStatus

  init(_ message: String, status: ExitStatus = .failure) {
    self.message = message
    self.status = status
  }

  /// The command line makes no sense.
  static func usage(_ message: String) -> ToolFailure {
    ToolFailure(message, status: .usage)
  }
}

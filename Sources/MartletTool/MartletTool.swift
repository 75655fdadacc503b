import ArgumentParser
import EssentialFoundation
import MartletEssentials

/// The command-line tool: Martlet's front window.
@main
struct MartletTool: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "martlet",
    abstract: "Send HTTP requests.",
    version: "martlet \(martletVersion)",
    subcommands: [
      RequestCommand.self, CertificatesCommand.self, ReachCommand.self, ServeCommand.self,
      DemoCommand.self,
    ],
    defaultSubcommand: RequestCommand.self)

  /// Sending requests is what the tool is for, so that is what a bare `martlet` explains.
  static func main() async {
    StandardDescriptors.fill()
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      try await Report.run {
        try ArgumentText.check()
        if isHelp(arguments) {
          try OutputHandle.output.write(helpMessage(for: RequestCommand.self) + "\n")
        }
        return .success
      }
    } catch { exit(withError: error) }
    guard !isHelp(arguments) else { return }
    guard isRequest(arguments), let request = try? RequestCommand.parse(arguments) else {
      return await main(arguments)
    }
    do { try await request.run() } catch { RequestCommand.exit(withError: error) }
  }

  private static func isHelp(_ arguments: [String]) -> Bool {
    [[], ["help"], ["--help"], ["-h"]].contains(arguments)
  }

  /// Whether arguments are for the default command, which is then parsed alone: to find that out itself, the
  /// parser would read its options once more. It says what is wrong with them all the same.
  static func isRequest(_ arguments: [String]) -> Bool {
    let others = configuration.subcommands.map { $0._commandName } + ["help"]
    return !others.contains(arguments.first ?? "help")
      && !arguments.contains { argument in flags.contains { argument.hasPrefix($0) } }
  }

  /// What the parser itself understands, and answers for all commands.
  private static let flags = [
    "--version", "--generate-completion-script", "--experimental-dump-help",
  ]
}

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

/// Standard input, output and error.
enum StandardDescriptors {
  /// Opens `/dev/null` in place of each that is closed, so that no other file or socket gets its number.
  ///
  /// It can only be read: input is empty then, and what is written to output fails, as it would without.
  static func fill() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", O_RDONLY)
    }
  }
}

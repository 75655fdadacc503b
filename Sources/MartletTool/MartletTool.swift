import ArgumentParser
import EssentialFoundation
import MartletEssentials
import NIOCore

/// The command-line tool `martlet`.
@main
struct MartletTool: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "martlet",
    abstract: "Send HTTP requests.",
    version: "martlet \(martletVersion)",
    subcommands: [
      RequestCommand.self, CertificatesCommand.self, ReachCommand.self, CacheCommand.self,
      ArchiveCommand.self, ServeCommand.self, DemoCommand.self,
    ],
    defaultSubcommand: RequestCommand.self)

  /// Runs the command that the arguments name.
  ///
  /// Without arguments, and for `help`, `--help` or `-h` alone, it prints the help of `RequestCommand`, because sending
  /// requests is the tool's main use.
  static func main() async {
    StandardDescriptors.openClosedDescriptors()
    // One event loop serves all requests of the tool. Others would only be threads to start.
    NIOSingletons.groupLoopCountSuggestion = 1
    let arguments = CacheDirectory.separated(Array(CommandLine.arguments.dropFirst()))
    do {
      try await Report.run {
        try ArgumentText.check()
        try CacheDirectory.check(arguments)
        if isHelp(arguments) {
          try OutputHandle.output.write(helpMessage(for: RequestCommand.self) + "\n")
        }
        return .success
      }
    } catch { exit(withError: error) }
    guard !isHelp(arguments) else { return }
    guard isRequest(arguments) else { return await main(arguments) }
    let request: RequestCommand
    do {
      request = try RequestCommand.parse(arguments)
    } catch {
      return await refuse(arguments, error)
    }
    do { try await request.run() } catch { RequestCommand.exit(withError: error) }
  }

  /// Reports why the arguments cannot be parsed.
  private static func refuse(_ arguments: [String], _ error: any Error) async {
    guard let sentence = CurlOption.sentence(about: RequestCommand.message(for: error)) else {
      return await main(arguments)
    }
    do {
      try await Report.run { throw ToolFailure.usage(sentence) }
    } catch { exit(withError: error) }
  }

  private static func isHelp(_ arguments: [String]) -> Bool {
    [[], ["help"], ["--help"], ["-h"]].contains(arguments)
  }

  /// Whether the arguments are for the default command.
  ///
  /// `RequestCommand` then parses them directly, because the parser of all commands would read the options of
  /// `RequestCommand` twice. If `RequestCommand` cannot parse them, the parser of all commands reports the error.
  static func isRequest(_ arguments: [String]) -> Bool {
    let others = configuration.subcommands.map { $0._commandName } + ["help"]
    return !others.contains(arguments.first ?? "help")
      && !arguments.contains { argument in flags.contains { argument.hasPrefix($0) } }
  }

  /// The flags that the argument parser handles itself, for all commands.
  private static let flags = [
    "--version", "--generate-completion-script", "--experimental-dump-help",
  ]
}

/// The arguments as the bytes that the system passes.
enum ArgumentText {
  /// Checks that all arguments are UTF-8. Swift replaces invalid bytes with U+FFFD. Without this check, a different
  /// URL or value would be sent.
  ///
  /// - Throws: `ToolFailure` for the first argument that is not UTF-8.
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
  /// Opens `/dev/null` in place of each closed descriptor, so that no other file or socket gets its number.
  ///
  /// It is opened for reading only. Standard input is then empty, and writing to standard output or standard error
  /// fails, as it does with a closed descriptor.
  static func openClosedDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", O_RDONLY)
    }
  }
}

import ArgumentParser
import Martlet

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
          try Outlet.output.write(helpMessage(for: RequestCommand.self) + "\n")
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

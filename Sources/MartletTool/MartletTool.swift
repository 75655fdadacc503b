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
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard ![[], ["help"], ["--help"], ["-h"]].contains(arguments) else {
      print(helpMessage(for: RequestCommand.self))
      return
    }
    await main(arguments)
  }
}

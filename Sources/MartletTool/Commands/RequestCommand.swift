import ArgumentParser

/// `martlet [METHOD] URL [ITEM …]`
struct RequestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "request",
    _superCommandName: "martlet",
    abstract: "Send a request and print the response.",
    usage: """
      martlet [<options>] [METHOD] URL [ITEM ...]
      martlet --download [--continue] URL [URL ...]
      martlet certs URL
      martlet reach [--once] [HOST]
      martlet serve [--tls] [--port <n>]
      martlet demo
      """,
    discussion: RequestHelp.discussion)

  @Argument(
    help: ArgumentHelp(
      "The method (GET, or POST with a body), the URL, and what goes with it.",
      valueName: "[METHOD] URL [ITEM]"))
  var words: [String]

  @Flag(exclusivity: .exclusive)
  var encoding: FieldEncoding?

  @Flag(name: [.customShort("I"), .long], help: "Do not read a body from standard input.")
  var ignoreStdin = false

  @OptionGroup(title: "Output")
  var output: OutputOptions

  @OptionGroup(title: "Identity")
  var identity: IdentityOptions

  @OptionGroup(title: "Connection")
  var connection: ConnectionOptions

  func validate() throws {
    if connection.maxRedirects != nil, !connection.follow, !output.download {
      throw ValidationError("--max-redirects is about redirects that are followed: add --follow.")
    }
  }

  func run() async throws {
    try await Report.run { try await RequestRun(self).run() }
  }
}

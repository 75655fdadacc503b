import ArgumentParser
import EssentialFoundation
import MartletEssentials

/// Who is there, for servers that want to know.
struct AuthenticationOptions: ParsableArguments {
  /// How a server is told who is there.
  enum Scheme: String, CaseIterable, ExpressibleByArgument {
    case basic, digest, bearer
  }

  @Option(
    name: [.customShort("a"), .long],
    help: ArgumentHelp(
      "The user's name and password; without the password it is asked for. With --auth-type bearer, the token.",
      valueName: "user:password"))
  var auth: String?

  @Option(
    name: .customLong("auth-type"),
    help: ArgumentHelp(
      "How --auth is shown: basic and bearer at once, digest when the server asks for it, and in no other way. Without, basic.",
      valueName: "basic|digest|bearer"))
  var scheme: Scheme?

  @Flag(
    name: .long,
    help: "Look names and passwords up in $NETRC or ~/.netrc when a server asks for them.")
  var netrc = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Keep cookies, and for each server its headers and --auth, in this file, and use what it has.",
      valueName: "file"))
  var session: String?

  func validate() throws {
    if let scheme, scheme != .basic, auth == nil {
      throw ValidationError("--auth-type says how --auth is shown: add --auth.")
    }
  }

  /// Whether Basic without TLS is worth a warning: unless `--auth-type basic` asks for it.
  var warnsOfBasic: Bool { scheme != .basic }

  /// Has a session know who is there, and what a session file keeps.
  ///
  /// - Parameters:
  ///   - described: The requests as the command line describes them.
  ///   - requests: The same requests; a name in a URL gives way to these options.
  ///   - configuration: The session's.
  ///   - saved: What a session file keeps, if there is one.
  ///   - prompt: Asks for the password of a user.
  /// - Throws: `ToolFailure` when there is no password; `MartletError` when the netrc file cannot be read.
  func apply(
    _ described: [CommandLineRequest], to requests: inout [Request],
    _ configuration: inout SessionConfiguration, saved: SavedSession?,
    prompt: (String) throws(ToolFailure) -> String
  ) throws {
    if netrc {
      configuration.authentication.credentials = CredentialStore(
        netrc: try Netrc(contentsOf: Netrc.standardLocation()))
    }
    saved?.apply(to: &configuration)
    let given = try auth.map { auth throws(ToolFailure) in
      try CommandLineCredential(auth, scheme ?? .basic, prompt: prompt)
    }
    for index in requests.indices {
      let credential =
        if let saved { try saved.prepare(&requests[index], described[index], given) } else { given }
      try credential?.apply(to: &requests[index], &configuration)
    }
  }
}

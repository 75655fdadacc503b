import ArgumentParser
import EssentialFoundation
import MartletEssentials

/// The options for authentication and saved sessions.
struct AuthenticationOptions: ParsableArguments {
  /// The authentication scheme of `--auth`.
  enum Scheme: String, CaseIterable, ExpressibleByArgument {
    case basic, digest, bearer
  }

  @Option(
    name: [.customShort("a"), .long],
    help: ArgumentHelp(
      "The user name and password; the tool asks for a missing password. With --auth-type bearer, the token.",
      valueName: "user:password"))
  var auth: String?

  @Option(
    name: .customLong("auth-type"),
    help: ArgumentHelp(
      "The authentication scheme of --auth: basic and bearer are sent with the first request, digest only in response to a Digest challenge. The default is basic.",
      valueName: "basic|digest|bearer"))
  var scheme: Scheme?

  @Flag(
    name: .long,
    help:
      "Look up user names and passwords in $NETRC or ~/.netrc when a server requires authentication."
  )
  var netrc = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Load cookies, and each server's headers and --auth, from this file, and save those of this run in it.",
      valueName: "file"))
  var session: String?

  func validate() throws {
    if let scheme, scheme != .basic, auth == nil {
      throw ValidationError("--auth-type is the scheme of --auth: add --auth.")
    }
  }

  /// Whether to warn of Basic without TLS: yes, unless `--auth-type basic` is given.
  var warnsOfBasic: Bool { scheme != .basic }

  /// Applies the credentials of the options, and a saved session, to the requests and their configuration.
  ///
  /// - Parameters:
  ///   - described: The requests as the command line describes them.
  ///   - requests: The same requests. A credential of these options replaces a user name in the URL.
  ///   - configuration: The configuration of the session.
  ///   - saved: The saved session, if there is one.
  ///   - prompt: Asks for the password of a user.
  /// - Throws: `ToolFailure` when a password is missing; `MartletError` when the netrc file cannot be read, or when a
  ///   token or a saved header is not valid.
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

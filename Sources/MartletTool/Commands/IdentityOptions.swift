import ArgumentParser
import Foundation
import Martlet

/// Who is there, for servers that want to know.
struct IdentityOptions: ParsableArguments {
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
      "How --auth is shown: basic and bearer at once, digest when the server asks.",
      valueName: "basic|digest|bearer"))
  var scheme: Scheme = .basic

  @Flag(
    name: .long,
    help: "Look names and passwords up in $NETRC or ~/.netrc when a server asks for them.")
  var netrc = false

  func validate() throws {
    if scheme != .basic, auth == nil {
      throw ValidationError("--auth-type says how --auth is shown: add --auth.")
    }
  }

  /// Lets the servers of the requests know who is there, and no others.
  ///
  /// - Parameters:
  ///   - requests: The requests; a name in a URL gives way to these options.
  ///   - configuration: The session's.
  ///   - prompt: Asks for the password of a user.
  /// - Throws: `ToolFailure` when there is no password; `MartletError` when the netrc file cannot be read.
  func apply(
    to requests: inout [Request], _ configuration: inout SessionConfiguration,
    prompt: (String) throws(ToolFailure) -> String
  ) throws {
    if netrc {
      configuration.authentication.credentials = CredentialStore(
        netrc: try Netrc(contentsOf: Netrc.standardLocation()))
    }
    guard let auth else { return }
    let identity = try Identity(auth, scheme, prompt: prompt)
    for index in requests.indices {
      try identity.apply(to: &requests[index], &configuration)
    }
  }
}

/// Errors of authentication.
extension MartletError {
  package static func credentialsRefused(by origin: Origin, realm: String?) -> MartletError {
    let place = realm.map { " for “\($0.masked)”" } ?? ""
    return MartletError(
      .credentialsRefused,
      "\(origin) refuses the user's name and password\(place): check them.", phase: .receive)
  }

  package static func tokenRefused(by origin: Origin) -> MartletError {
    MartletError(
      .credentialsRefused,
      "\(origin) refuses the token: check that it is for this server, and has not expired.",
      phase: .receive)
  }

  package static func refreshedTokenRefused(by origin: Origin) -> MartletError {
    MartletError(
      .credentialsRefused,
      "\(origin) refuses the token, and also the renewed token: check the code that renews it.",
      phase: .receive)
  }

  package static func everyAnswerStale(_ origin: Origin, answers: Int) -> MartletError {
    MartletError(
      .credentialsRefused,
      "\(origin) rejected all \(answers) answers to its challenges as out of date: it may have lost its challenges, or several servers answer under its name.",
      phase: .receive)
  }

  /// The credential fits none of the challenges. `algorithms` are the unsupported Digest algorithms.
  package static func unsupportedAuthentication(
    _ origin: Origin, schemes: [String], algorithms: [String] = []
  ) -> MartletError {
    guard !schemes.isEmpty else {
      return MartletError(
        .unsupportedAuthentication,
        "\(origin) requires authentication and sent no challenge that can be read: have it send a `WWW-Authenticate` field.",
        phase: .receive)
    }
    return MartletError(
      .unsupportedAuthentication,
      "\(origin) requires authentication by \(quoted(schemes)), which the credential cannot answer: Digest, Basic and Bearer are supported."
        + unsupported(algorithms),
      phase: .receive)
  }

  /// The credential does not allow any scheme that the server offers.
  ///
  /// - Parameters:
  ///   - origin: The server.
  ///   - schemes: The offered schemes.
  ///   - allowed: The schemes that the credential allows.
  ///   - algorithms: The offered Digest algorithms that are not supported. The default is none.
  /// - Returns: The error.
  package static func credentialWithheld(
    from origin: Origin, schemes: [String], allowed: String, algorithms: [String] = []
  ) -> MartletError {
    MartletError(
      .unsupportedAuthentication,
      "\(origin) requires authentication by \(quoted(schemes)), and the credential is for \(allowed) only: it was not sent. Allow another scheme for the credential, or have the server offer an allowed one."
        + unsupported(algorithms),
      phase: .receive)
  }

  private static func quoted(_ names: [String]) -> String {
    names.map { "“\($0.masked)”" }.joined(separator: ", ")
  }

  private static func unsupported(_ algorithms: [String]) -> String {
    algorithms.map { " The Digest algorithm “\($0.masked)” is not supported." }.joined()
  }

  package static func tokenNotRefreshed(_ origin: Origin, underlying: any Error) -> MartletError {
    MartletError(
      .authenticationFailed,
      "The token for \(origin) could not be renewed: \(underlying).", phase: .send,
      underlying: underlying)
  }

  package static func tokenRefreshedTooOften(count: Int) -> MartletError {
    MartletError(
      .authenticationFailed,
      "The token would have to be renewed more than \(count) times within a minute: check the code that renews it.",
      phase: .send)
  }

  package static func challengeHookFailed(_ origin: Origin, underlying: any Error) -> MartletError {
    underlying as? MartletError
      ?? MartletError(
        .authenticationFailed,
        "The challenge of \(origin) was not answered: \(underlying).", phase: .receive,
        underlying: underlying)
  }

  package static func netrcNotReadable(_ path: String, underlying: any Error) -> MartletError {
    MartletError(
      .invalidNetrc, "“\(path.masked)” cannot be read: check that it is there and may be read.",
      underlying: underlying)
  }

  package static func invalidNetrc(line: Int, _ what: String) -> MartletError {
    MartletError(.invalidNetrc, "Line \(line) of the netrc file cannot be understood: \(what).")
  }
}

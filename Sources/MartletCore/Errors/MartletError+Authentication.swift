/// Servers that want to know who is there.
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

  package static func renewedTokenRefused(by origin: Origin) -> MartletError {
    MartletError(
      .credentialsRefused,
      "\(origin) refuses the token, and the one that it was renewed to as well: check what renews it.",
      phase: .receive)
  }

  package static func everyAnswerStale(_ origin: Origin, answers: Int) -> MartletError {
    MartletError(
      .credentialsRefused,
      "\(origin) called each of \(answers) answers to its challenges out of date: it may have forgotten them, or several servers answer in its name.",
      phase: .receive)
  }

  package static func challengeNotUnderstood(_ origin: Origin, schemes: [String]) -> MartletError {
    guard !schemes.isEmpty else {
      return MartletError(
        .challengeNotUnderstood,
        "\(origin) wants to know who is there, and does not say how: it sent no challenge that can be read.",
        phase: .receive)
    }
    let names = schemes.map { "“\($0.masked)”" }.joined(separator: ", ")
    return MartletError(
      .challengeNotUnderstood,
      "\(origin) wants to know who is there by \(names), in a way that the credential at hand cannot answer: Digest, Basic and Bearer can be.",
      phase: .receive)
  }

  /// The credential may not be shown in any way that the server offers; `allowed` names the ways in which it may.
  package static func credentialWithheld(from origin: Origin, schemes: [String], allowed: String)
    -> MartletError
  {
    let names = schemes.map { "“\($0.masked)”" }.joined(separator: ", ")
    return MartletError(
      .challengeNotUnderstood,
      "\(origin) requires authentication by \(names), and the credential is for \(allowed) alone: it was not sent. Allow another scheme for it, or have the server offer one that it is for.",
      phase: .receive)
  }

  package static func tokenNotRenewed(_ origin: Origin, underlying: any Error) -> MartletError {
    MartletError(
      .authenticationFailed,
      "The token for \(origin) could not be renewed: \(underlying).", phase: .send,
      underlying: underlying)
  }

  package static func tokenRenewedTooOften(count: Int) -> MartletError {
    MartletError(
      .authenticationFailed,
      "The token would have to be renewed more than \(count) times within a minute: check what renews it.",
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

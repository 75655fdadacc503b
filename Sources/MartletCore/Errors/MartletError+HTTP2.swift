/// Errors of HTTP/2. A message contains the error code of RFC 9113 §7 if there is one.
extension MartletError {
  package static func notHTTP2(
    _ origin: Origin, phase: Phase = .tls, underlying: (any Error)? = nil
  ) -> MartletError {
    MartletError(
      .protocolNotSupported,
      "\(origin) does not speak HTTP/2: set `versions` to `.automatic` to allow HTTP/1.1.",
      phase: phase, underlying: underlying)
  }

  /// The server reset the stream of one request.
  package static func streamReset(_ origin: Origin, code: String, phase: Phase) -> MartletError {
    MartletError(
      .streamReset, "\(origin) reset the stream of the request (\(code)): try again later.",
      phase: phase)
  }

  /// The server's response breaks the rules. Only this stream ends.
  package static func streamBroken(_ origin: Origin, code: String, underlying: (any Error)?)
    -> MartletError
  {
    MartletError(
      .malformedResponse,
      "The response of \(origin) breaks the rules of HTTP/2 (\(code)): report it to the operator of the server.",
      phase: .receive, underlying: underlying)
  }

  /// The server breaks the rules of the connection.
  package static func connectionBroken(_ origin: Origin, code: String, underlying: (any Error)?)
    -> MartletError
  {
    MartletError(
      .connectionLost,
      "\(origin) broke the rules of HTTP/2 (\(code)), so the connection was closed: set `versions` to `.http1` to use HTTP/1.1 instead.",
      phase: .receive, underlying: underlying)
  }

  /// The server closed the connection and sent a reason.
  package static func goneAway(_ origin: Origin, code: String, reason: String?, phase: Phase)
    -> MartletError
  {
    let why = reason.map { "\(code), “\($0)”" } ?? code
    return MartletError(
      .connectionLost, "\(origin) closed the connection (\(why)): try again later.", phase: phase)
  }

  /// The server does not answer a PING frame.
  package static func unresponsive(_ origin: Origin, after silence: Duration) -> MartletError {
    MartletError(
      .connectionLost,
      "\(origin) has not responded for \(silence.text), so the connection was closed: try again.",
      phase: .wait)
  }

  package static func malformedHTTP2(_ what: String) -> MartletError {
    MartletError(
      .malformedResponse, "The server's response is not HTTP/2: \(what).", phase: .receive)
  }
}

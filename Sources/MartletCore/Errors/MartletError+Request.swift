package import EssentialFoundation

/// Errors of requests that cannot be sent.
extension MartletError {
  package static func invalidURL(_ text: String, _ reason: String) -> MartletError {
    MartletError(.invalidURL, "The URL “\(text.masked)” is not usable: \(reason).")
  }

  package static func unsupportedScheme(_ scheme: String) -> MartletError {
    MartletError(
      .unsupportedScheme,
      "The scheme “\(scheme.masked)” is not supported: use http or https.")
  }

  package static func invalidHeaderName(_ name: String) -> MartletError {
    MartletError(.invalidHeader, "“\(name.masked)” is not a header name: \(tokenRule).")
  }

  package static func invalidHeaderValue(name: String) -> MartletError {
    MartletError(
      .invalidHeader,
      "The value of the header “\(name)” holds a line break or another control character, or begins or ends with a blank: remove it."
    )
  }

  package static func trailerNotAllowed(_ name: String) -> MartletError {
    MartletError(
      .invalidHeader,
      "“\(name)” may not follow the body: servers need it before the body, so set it as a header field.",
      phase: .send)
  }

  package static func invalidMethod(_ method: String) -> MartletError {
    MartletError(.invalidRequest, "“\(method.masked)” is not a method: \(tokenRule).")
  }

  /// What a token of RFC 9110 §5.6.2 may not be, as a clause.
  private static let tokenRule =
    #"it may not be empty, and may not hold blanks, control characters, characters outside ASCII, or any of “"(),/:;<=>?@[\]{}”"#

  package static let connectNeedsTarget = MartletError(
    .invalidRequest,
    "CONNECT names the server that is to be reached in its Host field, such as “example.com:443”: set that field, or set a proxy to send requests through a tunnel."
  )

  package static func connectNeedsHTTP1(_ origin: Origin) -> MartletError {
    MartletError(
      .protocolNotSupported,
      "CONNECT is sent over HTTP/1.1 only, and \(origin) speaks HTTP/2: let the engine speak HTTP/1.1 alone, or set a proxy to send requests through a tunnel."
    )
  }

  package static func connectNotForwarded(_ proxy: String) -> MartletError {
    MartletError(
      .invalidRequest,
      "CONNECT cannot be sent through \(proxy), which passes requests on: send it to the proxy itself, or to an https URL."
    )
  }

  package static func invalidTarget() -> MartletError {
    MartletError(
      .invalidRequest,
      "The URL's path or query holds a blank, a line break or another control character: percent-encode it."
    )
  }

  package static let invalidJSONParameters = MartletError(
    .invalidJSONParameters, "The `parameters` argument is not valid JSON.")

  package static func invalidParameters(_ reason: String, underlying: (any Error)? = nil)
    -> MartletError
  {
    MartletError(
      .invalidParameters, "The parameters cannot be encoded: \(reason).", underlying: underlying)
  }

  package static func notFileURL(_ url: URL) -> MartletError {
    MartletError(.notFileURL, "Expected URL to be a file URL, not “\(url.absoluteString.masked)”.")
  }

  package static func fileNotReachable(_ url: URL, underlying: any Error) -> MartletError {
    MartletError(
      .fileNotReachable,
      "File URL not reachable: “\(url.path.masked)” does not exist or cannot be read.",
      underlying: underlying)
  }

  package static func notRegularFile(_ url: URL) -> MartletError {
    MartletError(
      .fileNotReachable,
      "“\(url.path.masked)” is not a regular file: read it yourself, and send it as a sequence.")
  }

  package static func fileRangeOutside(_ url: URL, size: Int64) -> MartletError {
    MartletError(
      .fileNotReachable,
      "The part of “\(url.path.masked)” to send lies outside the file, which has \(size) bytes.")
  }

  package static func fileChanged(_ path: String, isLonger: Bool) -> MartletError {
    MartletError(
      .bodyLengthMismatch,
      "“\(path.masked)” became \(isLonger ? "longer" : "shorter") before it was sent: do not change it while it is sent, or send a copy.",
      phase: .send)
  }

  package static func notCached(_ url: URL) -> MartletError {
    MartletError(
      .notCached,
      "The cache has no response for \(url.masked), and the request allows only a cached one: use another cache policy to load it from the server."
    )
  }

  package static func cacheFailed(_ error: any Error) -> MartletError {
    MartletError(
      .cacheFailed, "The cache failed, and the request goes on without it: \(error).",
      underlying: error)
  }

  package static func noCache(for url: URL) -> MartletError {
    MartletError(
      .notCached,
      "The session has no cache, and the request for \(url.masked) allows only a cached response: give the session a cache, or use another cache policy."
    )
  }

  package static let bodyNotReplayable = MartletError(
    .bodyNotReplayable,
    "The request has to be sent again, but its body can be sent only once: make it replayable, or hold it in memory or in a file.",
    phase: .send)

  package static func bodyNotReadable(underlying: any Error) -> MartletError {
    MartletError(
      .bodyNotReadable, "The body of the request could not be read: \(underlying).", phase: .send,
      underlying: underlying)
  }

  package static let streamFailed = MartletError(
    .bodyNotReadable,
    "The body of the request could not be read: its input stream failed and did not say why.",
    phase: .send)

  package static let bodyReadTwice = MartletError(
    .bodyNotReadable,
    "Two readers asked for the next bytes of one body: read it from one place, one chunk after another.",
    phase: .receive)

  package static func negativeBodyLength(_ length: Int64) -> MartletError {
    MartletError(
      .invalidRequest,
      "The body's length is given as \(length): give the number of its bytes, or `nil` if it is not known in advance.",
      phase: .send)
  }

  package static func bodyLengthMismatch(announced: Int64, sent: Int64) -> MartletError {
    MartletError(
      .bodyLengthMismatch,
      "The body was announced with \(announced) bytes but gave \(sent): the request was not completed.",
      phase: .send)
  }
}

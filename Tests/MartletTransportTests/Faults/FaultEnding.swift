import MartletCore

/// How an exchange with a server that misbehaves ends.
enum FaultEnding: Sendable {
  /// The caller gets status 200 and this body.
  case answer(String = "ok")
  /// The caller gets an error. In its sentence, `{origin}` is the server, `{peer}` the server and the proxy
  /// before it, `{through}` names the proxy, and `{proxy}` is its URL.
  case error(MartletError.Code, MartletError.Phase?, String, isSafeToRetry: Bool = false)
  /// The ending on the way through a proxy that passes requests on differs from that of the other ways.
  indirect case either(FaultEnding, forward: FaultEnding)

  init(_ error: MartletError) {
    self = .error(error.code, error.phase, error.message, isSafeToRetry: error.isSafeToRetry)
  }

  /// The ending on one of the ways.
  func by(_ route: FaultRoute) -> FaultEnding {
    guard case .either(let other, let forward) = self else { return self }
    return route == .forward ? forward : other
  }

  /// The ending as a line of text.
  var text: String {
    switch self {
    case .either(let other, let forward): return "\(other.text) — by a proxy, \(forward.text)"
    case .answer(let text): return "200, “\(text)”"
    case .error(let code, let phase, let sentence, let isSafeToRetry):
      let place = phase.map { " in \($0.rawValue)" } ?? ""
      return "\(code)\(place)\(isSafeToRetry ? ", safe to retry" : ""): \(sentence)"
    }
  }

  /// The ending as a line of text, with the names of a server and of the proxy before it.
  func text(of origin: String, through proxy: String?) -> String {
    text
      .replacing("{peer}", with: proxy.map { "The proxy \($0), or \(origin) behind it," } ?? origin)
      .replacing("{through}", with: proxy.map { " through the proxy \($0)" } ?? "")
      .replacing("{origin}", with: origin)
      .replacing("{proxy}", with: proxy ?? "")
  }

  /// Whether the exchange ends with a time-out.
  var isTimeOut: Bool {
    if case .error(.timedOut, _, _, _) = self { true } else { false }
  }
}

// MARK: Endings of several faults

extension FaultEnding {
  static let waitTimeOut = timeOut(.wait, "Waiting for the response of {origin}{through}")
  static let receiveTimeOut = timeOut(.receive, "Receiving the response of {origin}{through}")
  static let lost = FaultEnding.error(
    .connectionLost, .wait, "{peer} closed the connection before it had answered: try again.")
  static let sendTimeOut = timeOut(.send, "Sending the request to {origin}{through}")
  static let lostInUpload = FaultEnding.error(
    .connectionLost, .send,
    "{peer} closed the connection before the whole request was sent: try again.")
  static let headTooLarge = FaultEnding.error(
    .headTooLarge, .receive,
    "The head of the response is larger than 65536 bytes: raise `limits.responseHeadSize` if the server is to be trusted."
  )

  /// A part of the exchange took too long; `what` is the beginning of a sentence.
  private static func timeOut(
    _ phase: MartletError.Phase, _ what: String, isSafeToRetry: Bool = false
  ) -> FaultEnding {
    .error(
      .timedOut, phase, "\(what) took longer than 250 ms: try again or raise the time-out.",
      isSafeToRetry: isSafeToRetry)
  }

  /// The response is of another protocol; `reason` is a clause.
  static func otherProtocol(_ reason: String) -> FaultEnding {
    .either(notHTTP(reason), forward: notHTTPProxy(isSafeToRetry: false))
  }

  /// The response breaks the rules of HTTP/1.1; `reason` is a clause.
  static func notHTTP(_ reason: String) -> FaultEnding {
    .error(
      .malformedResponse, .receive, "The server's response is not HTTP/1.1: \(reason).")
  }

  /// The body is incomplete; `count` says how much of it has arrived.
  static func cutShort(after count: String) -> FaultEnding {
    .error(
      .bodyTruncated, .receive,
      "The connection ended after \(count) bytes of the body, before it was complete: try again.")
  }
}

extension FaultEnding {
  static let closedInHandshake = handshakeFailed(
    "the server closed the connection before it was secure. Try again, or check that it speaks TLS on this port.",
    isSafeToRetry: true)
  static let handshakeTimeOut = timeOut(
    .tls, "The TLS handshake with {origin}", isSafeToRetry: true)
  static let proxyTimeOut = FaultEnding.error(
    .timedOut, .proxy,
    "The proxy {proxy} took longer than 250 ms to connect to {origin}: try again or raise the time-out.",
    isSafeToRetry: true)
  static let closedByProxy = FaultEnding.error(
    .proxyFailed, .proxy,
    "The proxy {proxy} closed the connection before it had connected to {origin}: try again.",
    isSafeToRetry: true)
  static let notSOCKS = FaultEnding.error(
    .proxyFailed, .proxy,
    "The answer of the proxy {proxy} is not SOCKS 5: check its address, and that it is a SOCKS proxy.",
    isSafeToRetry: true)

  static let credentialsMissing = FaultEnding.error(
    .proxyAuthenticationRequired, .proxy,
    "The proxy {proxy} requires authentication: put the user name and password into its URL, before the host and an @.",
    isSafeToRetry: true)
  static let noTLS = handshakeFailed(
    "the server may use no TLS on this port, or no version newer than TLS 1.1.")

  /// The proxy speaks no HTTP. A request for a tunnel is safe to send again, as the server has received nothing.
  static func notHTTPProxy(isSafeToRetry: Bool) -> FaultEnding {
    .error(
      .proxyFailed, .proxy,
      "The answer of the proxy {proxy} is not HTTP/1.1: check its address, and that it is an HTTP proxy.",
      isSafeToRetry: isSafeToRetry)
  }

  /// The handshake failed; `reason` is a clause and what to do.
  static func handshakeFailed(
    _ reason: String, isSafeToRetry: Bool = false
  ) -> FaultEnding {
    .error(
      .tlsFailed, .tls, "The TLS handshake with {origin} failed: \(reason)",
      isSafeToRetry: isSafeToRetry)
  }
}

/// Errors in making and keeping connections.
extension MartletError {
  package static func unknownHost(_ host: String, underlying: any Error) -> MartletError {
    var error = MartletError(
      .unknownHost, "The host “\(host)” has no address: check the name and the network.",
      phase: .resolve, underlying: underlying)
    error.isSafeToRetry = true
    return error
  }

  package static func addressNotAllowed(_ origin: Origin, addresses: [String]) -> MartletError {
    MartletError(
      .addressNotAllowed,
      "\(origin) leads to \(addresses.joined(separator: ", ")), where the address policy allows no connection: use another URL or change `addressPolicy`.",
      phase: .connect)
  }

  /// A proxy may read the host of a URL as an address that the policy cannot check.
  package static func hostMayBeAddress(_ origin: Origin) -> MartletError {
    MartletError(
      .addressNotAllowed,
      "A proxy may read the host of \(origin) as an address, which the address policy cannot check: write the address in its usual form.",
      phase: .connect)
  }

  /// No address could be connected to; `reason` is a clause such as “it refused the connection”.
  package static func connectionFailed(
    _ origin: Origin, reason: String, addresses: [String], underlying: (any Error)?
  ) -> MartletError {
    let tried = addresses.isEmpty ? "" : " (tried \(addresses.joined(separator: ", ")))"
    var error = MartletError(
      .connectionFailed,
      "Could not connect to \(origin)\(tried): \(reason).", phase: .connect, underlying: underlying)
    error.addresses = addresses
    error.isSafeToRetry = true
    return error
  }

  /// A part of an exchange took too long. `proxy` is the proxy of the connection, if there is one.
  package static func timedOut(
    _ phase: Phase, after limit: Duration, origin: Origin, through proxy: String? = nil
  ) -> MartletError {
    let what =
      switch phase {
      case .resolve: "Looking up \(origin)"
      case .connect, .proxy: "Connecting to \(origin)"
      case .tls: "The TLS handshake with \(origin)"
      case .send: "Sending the request to \(origin)"
      case .wait: "Waiting for the response of \(origin)"
      case .receive, .decode: "Receiving the response of \(origin)"
      }
    var error = MartletError(
      .timedOut,
      "\(what)\(way(proxy)) took longer than \(limit.text): try again or raise the time-out.",
      phase: phase)
    error.isSafeToRetry = phase == .resolve || phase == .connect || phase == .tls
    return error
  }

  /// An HTTP/2 server allowed no requests on its connection until the time-out.
  package static func noStreamAllowed(_ origin: Origin, after limit: Duration) -> MartletError {
    var error = MartletError(
      .timedOut,
      "\(origin) allowed no request for \(limit.text): try again later or raise the time-out.",
      phase: .connect)
    error.isSafeToRetry = true
    return error
  }

  package static func totalTimeOut(_ phase: Phase?, after limit: Duration, origin: Origin)
    -> MartletError
  {
    MartletError(
      .timedOut,
      "The call to \(origin) took longer than the \(limit.text) allowed in total: try again or raise the time-out.",
      phase: phase)
  }

  /// The amount of a request that has been passed to the network.
  package enum SentAmount: Sendable {
    case nothing
    case part
    case whole

    /// The phase of the exchange before the response arrives.
    package var phase: Phase { self == .whole ? .wait : .send }
  }

  /// The server closed the connection, or the proxy of the connection did.
  package static func connectionLost(
    _ origin: Origin, sent: SentAmount, through proxy: String? = nil, underlying: (any Error)? = nil
  ) -> MartletError {
    let when =
      switch sent {
      case .nothing: "before the request was sent"
      case .part: "before the whole request was sent"
      case .whole: "before it had answered"
      }
    return MartletError(
      .connectionLost, "\(peer(origin, proxy)) closed the connection \(when): try again.",
      phase: sent.phase, underlying: underlying)
  }

  /// What arrived after the handshake is not what the other end sent: it was changed or inserted on its way, or it is not TLS.
  package static func brokenTLS(
    _ origin: Origin, through proxy: String?, phase: Phase, underlying: any Error
  ) -> MartletError {
    MartletError(
      .connectionLost,
      "The connection to \(origin)\(way(proxy)) was closed, because what arrived over it is not valid TLS: try again.",
      phase: phase, underlying: underlying)
  }

  /// The server, or the proxy of the connection, ended the connection with an alert after the handshake.
  package static func endedByAlert(
    _ origin: Origin, through proxy: String?, phase: Phase, underlying: any Error
  ) -> MartletError {
    MartletError(
      .connectionLost,
      "\(peer(origin, proxy)) ended the connection with an alert of TLS: try again.",
      phase: phase, underlying: underlying)
  }

  /// The server, or the proxy of the connection, closed a connection that had switched to another protocol.
  package static func upgradedConnectionLost(
    _ origin: Origin, through proxy: String?, underlying: any Error
  ) -> MartletError {
    MartletError(
      .connectionLost,
      "\(peer(origin, proxy)) closed the connection, which had been upgraded to another protocol: send the request again to open another.",
      phase: .receive, underlying: underlying)
  }

  /// The server, or the proxy of the connection, sent bytes before the first request.
  package static func unsolicited(
    _ bytes: String, _ origin: Origin, through proxy: String? = nil
  ) -> MartletError {
    let advice =
      bytes.hasPrefix("HTTP/1.") ? "try again later" : "check that it speaks HTTP/1.1 on this port"
    var error = MartletError(
      .malformedResponse,
      "\(peer(origin, proxy)) sent “\(bytes.masked)” before any request: \(advice).",
      phase: .connect)
    error.isSafeToRetry = true
    return error
  }

  private static func peer(_ origin: Origin, _ proxy: String?) -> String {
    proxy.map { "The proxy \($0), or \(origin) behind it," } ?? "\(origin)"
  }

  private static func way(_ proxy: String?) -> String {
    proxy.map { " through the proxy \($0)" } ?? ""
  }

  package static let cancelled = MartletError(.cancelled, "The request was cancelled.")

  package static let shutDown = MartletError(
    .shutDown, "The transport has been shut down: make a new one.")

  /// The engine has lost a request.
  package static func requestLost(_ origin: Origin) -> MartletError {
    MartletError(
      .requestLost,
      "The engine has lost the request to \(origin), which is a fault of Martlet: report it.")
  }
}

extension Duration {
  /// The duration as text: `250 ms`, `1.5 s`.
  package var text: String {
    let exact = (self / .milliseconds(1)).rounded()
    let milliseconds = Int64(min(max(exact, -Self.longestText), Self.longestText))
    guard milliseconds >= 1000 else { return "\(milliseconds) ms" }
    guard milliseconds % 1000 != 0 else { return "\(milliseconds / 1000) s" }
    return "\(Double(milliseconds) / 1000) s"
  }

  /// The largest number of milliseconds in a text. An `Int` of 64 bits can hold it.
  private static let longestText = 1e15
}

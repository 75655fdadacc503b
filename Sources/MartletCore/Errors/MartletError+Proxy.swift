/// Errors of proxies.
///
/// `proxy` is always the proxy's address, such as `http://proxy.example.com:3128`, without user and password.
extension MartletError {
  /// A setting cannot be used. `source` names the setting, and `reason` is a clause.
  package static func invalidProxy(_ reason: String, in source: String = "The proxy")
    -> MartletError
  {
    MartletError(.invalidProxy, "\(source) cannot be used: \(reason).", phase: .proxy)
  }

  /// No connection could be made; `reason` is a clause such as “nothing listens there”.
  package static func proxyNotReachable(
    _ proxy: String, reason: String, underlying: (any Error)?
  ) -> MartletError {
    fault(
      .proxyNotReachable, "Could not connect to the proxy \(proxy): \(reason).",
      underlying: underlying)
  }

  package static func proxyConnectTimeOut(_ proxy: String, after limit: Duration) -> MartletError {
    fault(
      .timedOut,
      "Connecting to the proxy \(proxy) took longer than \(limit.text): check its address, or raise the time-out."
    )
  }

  package static func proxyTimeOut(_ proxy: String, to origin: Origin, after limit: Duration)
    -> MartletError
  {
    fault(
      .timedOut,
      "The proxy \(proxy) took longer than \(limit.text) to connect to \(origin): try again or raise the time-out."
    )
  }

  package static func proxyClosed(
    _ proxy: String, to origin: Origin, underlying: (any Error)? = nil
  ) -> MartletError {
    fault(
      .proxyFailed,
      "The proxy \(proxy) closed the connection before it had connected to \(origin): try again.",
      underlying: underlying)
  }

  package static func proxyNotHTTP(_ proxy: String, underlying: any Error) -> MartletError {
    fault(
      .proxyFailed,
      "The answer of the proxy \(proxy) is not HTTP/1.1: check its address, and that it is an HTTP proxy.",
      underlying: underlying)
  }

  package static func proxyNotSOCKS(_ proxy: String) -> MartletError {
    fault(
      .proxyFailed,
      "The answer of the proxy \(proxy) is not SOCKS 5: check its address, and that it is a SOCKS proxy."
    )
  }

  /// An HTTP proxy answered a request for a tunnel with another status than a success.
  package static func tunnelRefused(_ proxy: String, to origin: Origin, status: String)
    -> MartletError
  {
    fault(
      .proxyRefused,
      "The proxy \(proxy) made no connection to \(origin), but answered \(status.masked): check the URL, or ask the operator of the proxy."
    )
  }

  /// A SOCKS proxy made no connection; `reason` is a clause such as “its rules forbid it”.
  package static func socksRefused(
    _ proxy: String, to origin: Origin, reason: String, hasFailed: Bool
  ) -> MartletError {
    fault(
      hasFailed ? .proxyFailed : .proxyRefused,
      "The proxy \(proxy) made no connection to \(origin): \(reason).")
  }

  package static func hostTooLongForSOCKS(_ proxy: String, bytes: Int) -> MartletError {
    fault(
      .invalidURL,
      "The host name has \(bytes) bytes, which is too long for the proxy \(proxy): SOCKS 5 allows 255."
    )
  }

  // MARK: Authentication

  package static func proxyCredentialsMissing(_ proxy: String) -> MartletError {
    fault(
      .proxyAuthenticationRequired,
      "The proxy \(proxy) requires authentication: put the user name and password into its URL, before the host and an @."
    )
  }

  package static func proxyRefusesCredentials(_ proxy: String) -> MartletError {
    fault(
      .proxyAuthenticationRequired,
      "The proxy \(proxy) does not accept the user and the password: check both.")
  }

  package static func proxyAuthenticationLoop(_ proxy: String) -> MartletError {
    fault(
      .proxyAuthenticationRequired,
      "The proxy \(proxy) rejects each answer to its challenges as out of date: try again, or ask the operator of the proxy."
    )
  }

  package static func unsupportedProxyAuthentication(_ proxy: String) -> MartletError {
    fault(
      .proxyAuthenticationRequired,
      "The proxy \(proxy) requires an authentication scheme that is not supported: have it offer Basic or Digest."
    )
  }

  package static func proxyNeedsReplay(_ proxy: String) -> MartletError {
    fault(
      .bodyNotReplayable,
      "The proxy \(proxy) requires authentication, and the body can be sent only once: make it replayable, or hold it in memory or in a file."
    )
  }

  /// An error of a proxy. The server has received nothing, so the request is safe to retry.
  private static func fault(_ code: Code, _ sentence: String, underlying: (any Error)? = nil)
    -> MartletError
  {
    var error = MartletError(code, sentence, phase: .proxy, underlying: underlying)
    error.isSafeToRetry = true
    return error
  }
}

import MartletCore
import NIOCore

/// Connecting through proxies.
extension Connector {
  /// The maximum number of connections to a proxy in one attempt. A proxy that requires authentication may close each
  /// connection after its challenge.
  static let connectionLimit = PasswordAuthenticator.answerLimit

  /// Connects by the first route that works; a proxy that fails is tried last for a while.
  ///
  /// - Throws: `MartletError` with code `.addressNotAllowed`; the error of the last route that was tried.
  func connect(
    by selection: ProxySelection, _ timeouts: Timeouts,
    _ note: @escaping @Sendable (CallEvent.Kind) -> Void
  ) async throws -> Connected {
    try addressFilter.checkHost(of: origin)
    var failure: (any Error)?
    for route in selection.resolver.ordered(selection.routes) {
      do {
        let connected = try await connect(by: route, of: selection, timeouts, note)
        selection.resolver.recordResult(of: route, succeeded: true)
        return connected
      } catch {
        guard !Task.isCancelled, allowsNextRoute(error) else { throw error }
        selection.resolver.recordResult(of: route, succeeded: false)
        failure = error
      }
    }
    throw failure ?? MartletError.cancelled
  }

  private func connect(
    by route: ProxyRoute, of selection: ProxySelection, _ timeouts: Timeouts,
    _ note: @escaping @Sendable (CallEvent.Kind) -> Void
  ) async throws -> Connected {
    guard case .through(let proxy) = route else {
      return try await connectDirectly(timeouts, note)
    }
    let access = selection.resolver.access(to: proxy)
    var stopwatch = Stopwatch()
    let ready = try await connectThroughProxy(access, selection.resolver.limits, timeouts, note)
    return try await complete(ready, after: stopwatch.lap(), timeouts, note)
  }

  /// Whether the route itself failed, so that the next route may work.
  ///
  /// Other errors end the attempt: those of TLS with the server, a certificate of the proxy that is not trusted, a
  /// refusal of the proxy, and its authentication.
  private func allowsNextRoute(_ error: any Error) -> Bool {
    // Any other error is the system's, and about the connection.
    guard let error = error as? MartletError else { return true }
    switch error.code {
    case .proxyNotReachable, .proxyFailed, .unknownHost, .connectionFailed: return true
    case .timedOut: return error.phase != .tls
    // The proxy has closed the connection. Other errors of its TLS last until a setting is changed.
    case .tlsFailed: return error.phase == .proxy && error.isSafeToRetry
    default: return false
    }
  }

  /// A channel to the server through the proxy, or to the proxy itself if it forwards requests.
  private func connectThroughProxy(
    _ access: ProxyAccess, _ limits: HTTPTransportConfiguration.Limits, _ timeouts: Timeouts,
    _ note: @escaping @Sendable (CallEvent.Kind) -> Void
  ) async throws -> ReadyChannel {
    let forwards = access.forwards(to: origin, versions)
    for round in 0..<Self.connectionLimit {
      let dialed = try await dial(access, timeouts, note)
      let isOpen =
        forwards
        ? true
        : try await openTunnel(
          access, over: dialed.channel, limits, timeouts, wasChallenged: round > 0)
      guard isOpen else { continue }
      return ReadyChannel(dialed: dialed, proxy: access.name, forwardProxy: forwards ? access : nil)
    }
    throw MartletError.proxyAuthenticationLoop(access.name)
  }

  /// A channel to the proxy itself.
  private func dial(
    _ access: ProxyAccess, _ timeouts: Timeouts,
    _ note: @escaping @Sendable (CallEvent.Kind) -> Void
  ) async throws -> Dialer.DialedChannel {
    let handshake = try await runOnGlobalExecutor { try await proxyHandshake(access) }
    let dialed: Dialer.DialedChannel
    do {
      // The address policy restricts the servers of URLs. The application chooses its proxies itself.
      dialed = try await dialer(to: access.proxy.origin, AddressFilter(policy: .any)).dial(
        within: timeouts.connect, report: note
      ) {
        .proxyConnectTimeOut(access.name, after: $1)
      }
    } catch {
      throw unreachable(access, error)
    }
    do {
      _ = try await handshake?.secure(
        dialed.channel, origin: access.proxy.origin, within: timeouts.tls, on: executor,
        report: note)
    } catch var error as MartletError {
      error.phase = .proxy
      throw error
    }
    return dialed
  }

  /// The handshake with the proxy, for which files may have to be read: no event loop may do so.
  @concurrent
  private func proxyHandshake(_ access: ProxyAccess) async throws -> TLSHandshake? {
    try access.handshake()
  }

  private func unreachable(_ access: ProxyAccess, _ error: any Error) -> any Error {
    switch error {
    case is CancellationError: return error
    case let known as MartletError where known.code != .unknownHost: return known
    case is MartletError:
      return MartletError.proxyNotReachable(
        access.name, reason: "its host has no address", underlying: error)
    default:
      return MartletError.proxyNotReachable(
        access.name, reason: ConnectionFailure.reason(error), underlying: error)
    }
  }

  /// Opens a tunnel; returns whether it is open. If not, it must be opened over another connection.
  private func openTunnel(
    _ access: ProxyAccess, over channel: any Channel, _ limits: HTTPTransportConfiguration.Limits,
    _ timeouts: Timeouts, wasChallenged: Bool
  ) async throws -> Bool {
    do {
      let negotiation = try access.negotiation(to: origin, limits, wasChallenged: wasChallenged)
      let end = try await withTimeLimit(timeouts.connect, on: executor) {
        MartletError.proxyTimeOut(access.name, to: origin, after: $0)
      } body: {
        try await TunnelHandler.run(negotiation, on: channel)
      }
      if end == .open { return true }
      channel.close(promise: nil)
      return false
    } catch {
      channel.close(promise: nil)
      throw error
    }
  }
}

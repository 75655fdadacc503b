import EssentialFoundation
import MartletCore
import NIOCore
import SystemPackage

/// Makes one connection: addresses, race, proxy, TLS.
struct Connector: Sendable {
  /// A connection that is ready for an exchange.
  struct Connected: Sendable {
    var channel: any Channel
    var info: ConnectionInfo
    /// The proxy at the other end, if it forwards requests instead of bytes.
    var forwardProxy: ProxyAccess?
  }

  /// A channel that is ready for TLS with the server, or for requests without TLS.
  struct ReadyChannel: Sendable {
    var dialed: Dialer.DialedChannel
    /// The URL of the proxy, without user and password.
    var proxy: String?
    var forwardProxy: ProxyAccess?
  }

  let origin: Origin
  /// Runs the attempts on the event loop of their connection.
  let executor: EngineExecutor
  let tls: TLSHandshake?
  let versions: HTTPTransportConfiguration.Versions
  var addressFilter = AddressFilter(policy: .any)
  var resolver = Resolver()
  /// The routes to the server; `nil` when all are direct.
  var proxies: ProxySelection?

  /// Makes a connection within the time-outs for connecting and for TLS.
  ///
  /// - Throws: `MartletError` with the addresses that were tried.
  func connect(timeouts: Timeouts, report: @escaping @Sendable (CallEvent.Kind) -> Void)
    async throws
    -> Connected
  {
    let tried = Locked<[String]>([])
    let note: @Sendable (CallEvent.Kind) -> Void = { event in
      if case .connecting(let address) = event { tried.withLock { $0.append(address) } }
      report(event)
    }
    do {
      guard let proxies else { return try await connectDirectly(timeouts, note) }
      return try await connect(by: proxies, timeouts, note)
    } catch let error as MartletError {
      var error = error
      error.addresses = tried.current
      throw error
    } catch {
      throw ConnectionFailure.error(error, origin: origin, addresses: tried.current)
    }
  }

  /// The longest time that making a connection may take, if no proxy requires a second connection.
  func maximumConnectTime(connect: Duration, tls: Duration?) -> Duration {
    let tls = tls ?? .seconds(1 << 30)
    let limit = connect + (origin.isSecure ? tls : .zero)
    guard let proxies else { return limit }
    // Each connection to a proxy costs a TLS handshake if its scheme is `https`, and a request for a tunnel.
    return limit + (connect * 2 + tls) * Self.connectionLimit * proxies.routes.count
  }

  func connectDirectly(_ timeouts: Timeouts, _ note: @escaping @Sendable (CallEvent.Kind) -> Void)
    async throws -> Connected
  {
    var stopwatch = Stopwatch()
    let dialed = try await dialer(to: origin, addressFilter).dial(
      within: timeouts.connect, report: note
    ) {
      .timedOut($0, after: $1, origin: origin)
    }
    return try await complete(ReadyChannel(dialed: dialed), after: stopwatch.lap(), timeouts, note)
  }

  func dialer(to origin: Origin, _ addressFilter: AddressFilter) -> Dialer {
    Dialer(origin: origin, executor: executor, addressFilter: addressFilter, resolver: resolver)
  }

  /// Secures a channel.
  ///
  /// - Parameters:
  ///   - ready: The channel.
  ///   - duration: How long the look-up and connecting took.
  ///   - timeouts: The time-outs of the request.
  ///   - note: Receives the events of the connection.
  /// - Returns: The connection.
  /// - Throws: What the handshake throws; `MartletError` with code `.notHTTP2`.
  @inline(never)
  func complete(
    _ ready: ReadyChannel, after duration: Duration, _ timeouts: Timeouts,
    _ note: @Sendable (CallEvent.Kind) -> Void
  ) async throws -> Connected {
    // Not inlined, because its variables would be in the frame of the caller while that connects.
    let (channel, resolve) = (ready.dialed.channel, ready.dialed.resolve)
    let connect = duration - (resolve ?? .zero)
    var stopwatch = Stopwatch()
    let agreement = try await secure(channel, within: timeouts.tls, note)
    let info = ConnectionInfo(
      protocolName: protocolName(agreement),
      localAddress: channel.localAddress?.text, remoteAddress: channel.remoteAddress?.text,
      resolveDuration: resolve, connectDuration: connect,
      tlsDuration: agreement.map { _ in stopwatch.lap() },
      tlsVersion: agreement?.version, proxy: ready.proxy)
    return Connected(channel: channel, info: info, forwardProxy: ready.forwardProxy)
  }

  /// The protocol of the connection: negotiated with TLS, or without TLS known in advance (RFC 9113 §3.3).
  private func protocolName(_ agreement: TLSHandshake.Agreement?) -> String {
    guard let agreement else { return versions == .http2 ? "h2c" : "http/1.1" }
    return agreement.protocolName ?? "http/1.1"
  }

  private func secure(
    _ channel: any Channel, within limit: Duration?, _ note: @Sendable (CallEvent.Kind) -> Void
  ) async throws -> TLSHandshake.Agreement? {
    guard let tls else { return nil }
    let agreement = try await tls.secure(
      channel, origin: origin, within: limit, on: executor, report: note)
    guard versions != .http2 || agreement.protocolName == "h2" else {
      channel.close(promise: nil)
      throw MartletError.notHTTP2(origin)
    }
    return agreement
  }
}

/// Turns the system's error for a failed connection into a `MartletError`.
enum ConnectionFailure {
  static func error(_ error: any Error, origin: Origin, addresses: [String]) -> MartletError {
    if error is CancellationError { return .cancelled }
    return .connectionFailed(
      origin, reason: reason(error), addresses: addresses, underlying: error)
  }

  /// The reason for a failed connection, as a clause.
  static func reason(_ error: any Error) -> String {
    guard let number = (error as? IOError)?.errnoCode else { return "\(error)" }
    switch Errno(rawValue: number) {
    case .connectionRefused: return "nothing listens there"
    case .noRouteToHost, .networkUnreachable: return "no route leads there, or the host is down"
    case .timedOut: return "it did not answer"
    case .noSuchFileOrDirectory: return "there is no such socket"
    case .permissionDenied, .notPermitted: return "the system does not permit it"
    case .tooManyOpenFiles, .tooManyOpenFilesInSystem:
      return "too many files are open: allow more or lower the number of connections"
    case let failure: return "\(failure)"
    }
  }
}

/// Measures successive spans of time.
struct Stopwatch {
  private var start = ContinuousClock.now

  mutating func lap() -> Duration {
    let now = ContinuousClock.now
    defer { start = now }
    return start.duration(to: now)
  }
}

import MartletCore
import NIOCore

/// Makes one connection: addresses, race, TLS.
struct Connector: Sendable {
  /// A connection that is ready for an exchange.
  struct Connected: Sendable {
    var channel: any Channel
    var info: ConnectionInfo
  }

  let origin: Origin
  let loop: any EventLoop
  let tls: TLSHandshake?
  let versions: EngineConfiguration.Versions
  var addressGuard = AddressGuard(policy: .any)
  var resolver = Resolver()

  /// Makes a connection within the time-outs for connecting and for TLS.
  ///
  /// - Throws: `MartletError` that names the phase and the addresses tried.
  func connect(timeouts: Timeouts, report: @escaping @Sendable (Event) -> Void) async throws
    -> Connected
  {
    let tried = Locked<[String]>([])
    let note: @Sendable (Event) -> Void = { event in
      if case .connecting(let address) = event { tried.withLock { $0.append(address) } }
      report(event)
    }
    do {
      return try await connect(timeouts: timeouts, note: note)
    } catch let error as MartletError {
      var error = error
      error.addresses = tried.current
      throw error
    } catch {
      throw ConnectionFailure.error(error, origin: origin, addresses: tried.current)
    }
  }

  private func connect(timeouts: Timeouts, note: @escaping @Sendable (Event) -> Void) async throws
    -> Connected
  {
    var stopwatch = Stopwatch()
    let phase = Locked(MartletError.Phase.resolve)
    let (channel, resolve) = try await withTimeLimit(timeouts.connect) {
      MartletError.timedOut(phase.current, after: $0, origin: origin)
    } discard: { late in
      late.0.close(promise: nil)
    } body: {
      let (found, resolve) = try await addresses(note)
      let addresses = try addressGuard.admitted(found, of: origin)
      phase.withLock { $0 = .connect }
      return (try await AddressRace(loop: loop, report: note).run(addresses), resolve)
    }
    let connect = stopwatch.lap() - (resolve ?? .zero)
    let agreement = try await secure(channel, within: timeouts.tls, note)
    let info = ConnectionInfo(
      protocolName: protocolName(agreement),
      localAddress: channel.localAddress?.text, remoteAddress: channel.remoteAddress?.text,
      resolve: resolve, connect: connect, tls: agreement.map { _ in stopwatch.lap() },
      tlsVersion: agreement?.version)
    return Connected(channel: channel, info: info)
  }

  /// What is spoken over the connection: as agreed, else by prior knowledge (RFC 9113 §3.3).
  private func protocolName(_ agreement: TLSHandshake.Agreement?) -> String {
    guard let agreement else { return versions == .http2 ? "h2c" : "http/1.1" }
    return agreement.protocolName ?? "http/1.1"
  }

  private func addresses(_ note: @Sendable (Event) -> Void) async throws -> (
    [SocketAddress], Duration?
  ) {
    switch origin.endpoint {
    case .unixSocket(let path):
      return ([try SocketAddress(unixDomainSocketPath: path)], nil)
    case .host(let host, let port) where HostAddress.isAddress(host):
      return ([try SocketAddress(ipAddress: host, port: port)], nil)
    case .host(let host, let port):
      var stopwatch = Stopwatch()
      note(.resolving(host: host))
      let addresses = try await resolver.addresses(of: host, port: port)
      note(.resolved(host: host, addresses: addresses.map(\.text)))
      return (addresses, stopwatch.lap())
    }
  }

  private func secure(
    _ channel: any Channel, within limit: Duration?, _ note: @Sendable (Event) -> Void
  ) async throws -> TLSHandshake.Agreement? {
    guard let tls else { return nil }
    note(.securing(host: origin.host))
    do {
      let agreement = try await withTimeLimit(limit) {
        MartletError.timedOut(.tls, after: $0, origin: origin)
      } body: {
        try await withTaskCancellationHandler {
          try await tls.secure(channel, origin: origin)
        } onCancel: {
          channel.close(promise: nil)
        }
      }
      note(.secured(host: origin.host))
      guard versions != .http2 || agreement.protocolName == "h2" else {
        throw MartletError.notHTTP2(origin)
      }
      return agreement
    } catch {
      channel.close(promise: nil)
      throw error
    }
  }
}

/// Measures one stretch of time after another.
private struct Stopwatch {
  private var start = ContinuousClock.now

  mutating func lap() -> Duration {
    let now = ContinuousClock.now
    defer { start = now }
    return start.duration(to: now)
  }
}

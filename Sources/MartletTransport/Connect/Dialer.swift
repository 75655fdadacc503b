import MartletCore
import NIOCore

/// Connects to a server, or to a proxy: finds its addresses and races them.
struct Dialer: Sendable {
  /// A channel, and what it took to make it.
  struct Line: Sendable {
    var channel: any Channel
    /// `nil` when there was nothing to look up.
    var resolve: Duration?
  }

  let origin: Origin
  let loop: any EventLoop
  var addressGuard = AddressGuard(policy: .any)
  var resolver = Resolver()

  /// Makes a connection.
  ///
  /// - Parameters:
  ///   - limit: The longest time that it may take; `nil` for any.
  ///   - report: Hears of what happens.
  ///   - timeOut: Makes the error for a limit that was reached.
  /// - Returns: A channel with a gate at its end.
  /// - Throws: The error of `timeOut`, `MartletError` of the look-up and the address policy, or what the
  ///   system says.
  func dial(
    within limit: Duration?, report: @escaping @Sendable (Event.Kind) -> Void,
    timeOut: (MartletError.Phase, Duration) -> MartletError
  ) async throws -> Line {
    let phase = Locked(MartletError.Phase.resolve)
    return try await withTimeLimit(limit, on: loop) {
      timeOut(phase.current, $0)
    } discard: { late in
      late.channel.close(promise: nil)
    } body: {
      let (found, resolve) = try await addresses(report)
      let addresses = try addressGuard.admitted(found, of: origin)
      phase.withLock { $0 = .connect }
      let channel = try await AddressRace(loop: loop, report: report).run(addresses)
      return Line(channel: channel, resolve: resolve)
    }
  }

  private func addresses(_ report: @Sendable (Event.Kind) -> Void) async throws -> (
    [SocketAddress], Duration?
  ) {
    switch origin.endpoint {
    case .unixSocket(let path):
      return ([try SocketAddress(unixDomainSocketPath: path)], nil)
    case .host(let host, let port) where HostAddress.isAddress(host):
      return ([try SocketAddress(ipAddress: host, port: port)], nil)
    case .host(let host, let port):
      var stopwatch = Stopwatch()
      report(.resolving(host: host))
      let addresses = try await resolver.addresses(of: host, port: port)
      report(.resolved(host: host, addresses: addresses.map(\.text)))
      return (addresses, stopwatch.lap())
    }
  }
}

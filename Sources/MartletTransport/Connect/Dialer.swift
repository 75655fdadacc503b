import EssentialFoundation
import MartletCore
import NIOCore

/// Connects to a server or a proxy: looks up its addresses and races them.
struct Dialer: Sendable {
  /// A channel, and how long the look-up took.
  struct DialedChannel: Sendable {
    var channel: any Channel
    /// The duration of the look-up; `nil` when none was needed.
    var resolve: Duration?
  }

  let origin: Origin
  let executor: EngineExecutor
  var addressFilter = AddressFilter(policy: .any)
  var resolver = Resolver()

  /// Makes a connection.
  ///
  /// - Parameters:
  ///   - limit: The longest time that connecting may take; `nil` for no limit.
  ///   - report: Receives the events of the connection.
  ///   - timeOut: Makes the error when the limit is reached.
  /// - Returns: A channel with an inbound buffer at its end.
  /// - Throws: The error that `timeOut` makes; `MartletError` of the look-up or the address policy;
  ///   `CancellationError`; an error of the system.
  func dial(
    within limit: Duration?, report: @escaping @Sendable (CallEvent.Kind) -> Void,
    timeOut: (MartletError.Phase, Duration) -> MartletError
  ) async throws -> DialedChannel {
    let phase = Locked(MartletError.Phase.resolve)
    return try await withTimeLimit(limit, on: executor) {
      timeOut(phase.current, $0)
    } discard: { late in
      late.channel.close(promise: nil)
    } body: {
      let (found, resolve) = try await addresses(report)
      let addresses = try addressFilter.allowed(found, of: origin)
      phase.withLock { $0 = .connect }
      let channel = try await AddressRace(loop: executor.loop, report: report).run(addresses)
      return DialedChannel(channel: channel, resolve: resolve)
    }
  }

  private func addresses(_ report: @Sendable (CallEvent.Kind) -> Void) async throws -> (
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

/// Selects the addresses to which connections may be made.
struct AddressFilter: Sendable {
  let policy: AddressPolicy

  /// Returns those of `addresses` that are allowed.
  ///
  /// - Throws: `MartletError` with code `.addressNotAllowed` when none is allowed.
  func allowed(_ addresses: [SocketAddress], of origin: Origin) throws(MartletError)
    -> [SocketAddress]
  {
    let allowed = addresses.filter(allows)
    guard !allowed.isEmpty else {
      throw .addressNotAllowed(origin, addresses: addresses.map(\.text))
    }
    return allowed
  }

  /// Throws if a proxy would connect to an address that is not allowed, as far as the host of the origin shows it.
  ///
  /// A proxy looks up names itself, so that their addresses are not known here. Programs differ in how they read numbers that
  /// are not an address in its usual form, such as `127.1`: unless all addresses are allowed, they are refused.
  ///
  /// - Throws: `MartletError` with code `.addressNotAllowed`.
  func checkHost(of origin: Origin) throws(MartletError) {
    guard !policy.allowsAll, case .host(let host, let port) = origin.endpoint else { return }
    guard let address = IPAddress(host, port: port) else {
      guard !HostName.mayBeAddress(host.utf8) else { throw .hostMayBeAddress(origin) }
      return
    }
    guard policy.allows(address) else {
      throw .addressNotAllowed(origin, addresses: [origin.authority])
    }
  }

  private func allows(_ address: SocketAddress) -> Bool {
    guard let text = address.ipAddress, let port = address.port else { return policy.allowsSockets }
    return IPAddress(text, port: port).map(policy.allows) ?? false
  }
}

/// IP addresses as text and as bytes.
enum HostAddress {
  /// Whether a URL's host is an IPv4 or IPv6 address rather than a name.
  static func isAddress(_ host: String) -> Bool {
    (try? SocketAddress(ipAddress: host, port: 0)) != nil
  }

  /// An address in the form that `text(_:)` returns; `nil` when `address` is not an IP address.
  static func canonical(_ address: String) -> String? {
    (try? SocketAddress(ipAddress: address, port: 0))?.ipAddress
  }

  /// An address of 4 or 16 bytes as text; `nil` for any other number of bytes.
  static func text(_ bytes: ArraySlice<UInt8>) -> String? {
    try? SocketAddress(packedIPAddress: ByteBuffer(bytes: bytes), port: 0).ipAddress
  }
}

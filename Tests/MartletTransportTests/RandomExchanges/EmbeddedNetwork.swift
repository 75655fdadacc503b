import MartletCore
import NIOCore
import NIOEmbedded

@testable import MartletTransport

/// An origin whose event loops have virtual time, and whose connections are embedded channels: pools, connections and
/// exchanges are the engine's own, and all that the server sends is given as bytes.
final class EmbeddedNetwork {
  /// A connection that has been made, as long as something refers to it.
  private struct Made {
    weak var channel: EmbeddedChannel?
  }

  private struct Reset: Error {}

  let loops: [EmbeddedEventLoop]
  let directory: PoolDirectory
  let pools: OriginPools
  private(set) var peers: [EmbeddedPeer] = []
  /// The attempts to connect that have not ended.
  private(set) var attempts: [(part: Int, id: ConnectionID)] = []
  private var made: [Made] = []
  private let isHTTP2: Bool

  init(parts: Int, limit: Int, total: Int, isHTTP2: Bool) throws {
    self.isHTTP2 = isHTTP2
    var configuration = HTTPTransportConfiguration()
    configuration.versions = isHTTP2 ? .http2 : .http1
    configuration.connections.maximumPerOrigin = limit
    configuration.connections.maximumTotal = total
    configuration.limits.responseHeadSize = 4 << 10
    configuration.proxies = .none
    loops = (0..<parts).map { _ in EmbeddedEventLoop() }
    directory = PoolDirectory(
      configuration, loops: loops, hasVirtualTime: true, outsideWork: OutsideWork())
    pools = try directory.pools(for: Request("http://127.0.0.1/").origin)
    for part in 0..<parts {
      loops[part].advanceTime(to: .uptimeNanoseconds(1_000_000_000))
      pools[part].connect = { [unowned self] pool, id, _ in
        attempts.append((pool.part, id))
        return Task {}
      }
    }
  }

  var parts: [ConnectionPool] { loops.indices.map { pools[$0] } }

  func endAttempt(_ index: Int, succeeds: Bool) throws {
    let (part, id) = attempts.remove(at: index)
    guard succeeds else { return pools[part].opened(id, .failure(.shutDown)) }
    let channel = EmbeddedChannel(handler: InboundBufferHandler(), loop: loops[part])
    channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 80), promise: nil)
    peers.append(try EmbeddedPeer(channel, isHTTP2: isHTTP2))
    made.append(Made(channel: channel))
    let info = ConnectionInfo(
      protocolName: isHTTP2 ? "h2c" : "http/1.1", localAddress: nil, remoteAddress: nil,
      resolveDuration: nil, connectDuration: .zero, tlsDuration: nil, tlsVersion: nil)
    pools[part].opened(id, .success(Connector.Connected(channel: channel, info: info)))
  }

  /// Closes a connection, cleanly or with an error of the system.
  func close(_ peer: EmbeddedPeer, isReset: Bool = false) {
    if isReset, peer.channel.isActive { peer.channel.pipeline.fireErrorCaught(Reset()) }
    peer.channel.close(promise: nil)
  }

  /// Delivers what the server has sent and the connections read now, and forgets the connections that are closed.
  func sweep() {
    for peer in peers { peer.deliver() }
    peers.removeAll { !$0.channel.isActive }
  }

  /// The number of connections to which something refers.
  var openCount: Int { made.count { $0.channel != nil } }

  func pass(_ time: TimeAmount) {
    for loop in loops { loop.advanceTime(by: time) }
  }

  /// Runs the tasks of all loops until none has any.
  func settle() {
    for _ in 0..<8 { for loop in loops { loop.run() } }
  }
}

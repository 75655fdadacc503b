import MartletCore
import NIOCore
import NIOEmbedded

@testable import MartletTransport

/// An origin whose event loops have virtual time, and whose connections are embedded channels: pools, connections and
/// exchanges are the engine's own, and all that the server says is given as bytes.
final class EmbeddedNetwork {
  /// A connection, as the server sees it.
  final class Peer {
    let channel: EmbeddedChannel
    let isHTTP2: Bool

    init(_ channel: EmbeddedChannel, isHTTP2: Bool) {
      self.channel = channel
      self.isHTTP2 = isHTTP2
    }

    func say(_ bytes: ByteBuffer) {
      guard channel.isActive else { return }
      channel.pipeline.fireChannelRead(bytes)
      channel.pipeline.fireChannelReadComplete()
    }
  }

  private struct Reset: Error {}

  let loops: [EmbeddedEventLoop]
  let directory: PoolDirectory
  let pools: OriginPools
  private(set) var peers: [Peer] = []
  /// The attempts to connect that have not ended.
  private(set) var attempts: [(part: Int, id: ConnectionID)] = []
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
    directory = PoolDirectory(configuration, loops: loops)
    pools = try directory.pools(for: Request("http://127.0.0.1/").origin)
    for part in 0..<parts {
      loops[part].advanceTime(to: .now())
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
    peers.append(Peer(channel, isHTTP2: isHTTP2))
    let info = ConnectionInfo(
      protocolName: isHTTP2 ? "h2c" : "http/1.1", localAddress: nil, remoteAddress: nil,
      resolveDuration: nil, connectDuration: .zero, tlsDuration: nil, tlsVersion: nil)
    pools[part].opened(id, .success(Connector.Connected(channel: channel, info: info)))
  }

  /// Closes a connection, cleanly or with an error of the system.
  func close(_ peer: Peer, isReset: Bool = false) {
    if isReset, peer.channel.isActive { peer.channel.pipeline.fireErrorCaught(Reset()) }
    peer.channel.close(promise: nil)
  }

  /// Forgets the connections that are closed.
  func sweep() { peers.removeAll { !$0.channel.isActive } }

  /// Runs the tasks of all loops until none has any.
  func settle() {
    for _ in 0..<8 { for loop in loops { loop.run() } }
  }
}

extension EmbeddedNetwork.Peer {
  /// The bytes of what a server says.
  func bytes(_ speech: RandomOperation.Speech, _ number: Int) -> ByteBuffer {
    isHTTP2 ? frames(speech, UInt32(number % 8 * 2 + 1)) : ByteBuffer(string: text(speech))
  }

  private func text(_ speech: RandomOperation.Speech) -> String {
    switch speech {
    case .answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    case .answerAndClose: "HTTP/1.1 503 No\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno"
    case .head: "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n"
    case .chunkedHead: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    case .body: "abcd"
    case .chunk: "3\r\nabc\r\n"
    case .lastChunk: "0\r\nSum: 1\r\n\r\n"
    case .continue100: "HTTP/1.1 100 Continue\r\n\r\n"
    case .refused417: "HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n"
    case .switched: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"
    case .garbage: "SSH-2.0\r\n"
    case .settings: "HTTP/1.1 204 No Content\r\n\r\n"
    case .rest: "abcdefghijkl"
    }
  }

  private func frames(_ speech: RandomOperation.Speech, _ stream: UInt32) -> ByteBuffer {
    let frames: [RawFrame] =
      switch speech {
      case .answer: [.headers(stream), .data(stream, "ok", end: true)]
      case .answerAndClose: [.headers(stream, end: true), .goAway(stream)]
      case .head: [.headers(stream, [":status": "200", "content-length": "12"])]
      case .chunkedHead: [.headers(stream)]
      case .body: [.data(stream, "abcd")]
      case .chunk: [.windowUpdate(0, 1000), .windowUpdate(stream, 1000)]
      case .lastChunk: [.data(stream, "", end: true)]
      case .continue100: [.headers(stream, [":status": "100"])]
      case .refused417: [.reset(stream, .refusedStream)]
      case .switched: [.goAway(stream, stream % 4 == 1 ? .noError : .internalError)]
      case .garbage: [.reset(stream, .internalError)]
      case .settings: [.settings([.maxConcurrentStreams: stream % 5]), .settingsAck]
      case .rest: [.data(stream, "abcdefghijkl", end: true), .ping(7)]
      }
    var bytes = ByteBuffer()
    for frame in frames { bytes.writeImmutableBuffer(frame.bytes) }
    return bytes
  }
}

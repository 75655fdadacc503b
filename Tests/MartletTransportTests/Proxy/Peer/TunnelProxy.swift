import EssentialFoundation
import MartletCore
import MartletTesting
import NIOCore
import NIOPosix
import NIOSSL

/// A proxy that makes tunnels, by CONNECT or SOCKS 5, for any client.
///
/// Whatever host it is asked for, it connects to this machine: a name without an address shows that
/// the proxy was left to do it.
final class TunnelProxy: Sendable {
  /// What it was asked for, as `host:port`, in order.
  var asked: [String] { log.current }
  let port: Int

  private let channel: any Channel
  private let log: Locked<[String]>

  private init(_ channel: any Channel, _ log: Locked<[String]>) {
    self.channel = channel
    self.log = log
    port = channel.localAddress?.port ?? 0
  }

  /// Starts one.
  ///
  /// - Parameters:
  ///   - port: Its port. The default is a free one.
  ///   - credential: Its certificate and key, if clients speak TLS to it. The default is none.
  /// - Returns: A proxy that listens.
  /// - Throws: The system's error when it cannot listen, or NIOSSL's when it cannot use the certificate.
  static func start(port: Int = 0, tls credential: CertifiedKey? = nil) async throws -> TunnelProxy
  {
    let log = Locked<[String]>([])
    let context = try credential.map { try NIOSSLContext(configuration: .server($0)) }
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if let context { try pipeline.addHandler(NIOSSLServerHandler(context: context)) }
          try pipeline.addHandler(TunnelEnd(log))
        }
      }
      .bind(host: "127.0.0.1", port: port).get()
    return TunnelProxy(channel, log)
  }

  func stop() async {
    try? await channel.close()
  }
}

extension TLSConfiguration {
  fileprivate static func server(_ credential: CertifiedKey) throws -> TLSConfiguration {
    .makeServerConfiguration(
      certificateChain: try credential.certificateSources(),
      privateKey: try credential.privateKeySource())
  }
}

/// The client's end of a tunnel: reads where it should lead, and passes on what comes then.
private final class TunnelEnd: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let log: Locked<[String]>
  private var request = TunnelRequest()
  private var other: (any Channel)?

  init(_ log: Locked<[String]>) {
    self.log = log
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = Self.unwrapInboundIn(data)
    if let other { return other.writeAndFlush(bytes, promise: nil) }
    for step in request.receive(bytes) {
      switch step {
      case .say(let text): context.channel.writeAndFlush(text, promise: nil)
      case .connect(let host, let port, let answer):
        log.withLock { $0.append("\(host):\(port)") }
        connect(context.channel, to: port, answer)
      }
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    other?.close(promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  private func connect(_ client: any Channel, to port: Int, _ answer: ByteBuffer) {
    ClientBootstrap(group: client.eventLoop)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Passing(to: client))
        }
      }
      .connect(host: "127.0.0.1", port: port).assumeIsolated()
      .whenComplete { result in
        guard case .success(let channel) = result else { return client.close(promise: nil) }
        self.other = channel
        client.writeAndFlush(answer, promise: nil)
      }
  }
}

/// The server's end of a tunnel.
private final class Passing: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let other: any Channel

  init(to other: any Channel) {
    self.other = other
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    other.writeAndFlush(Self.unwrapInboundIn(data), promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    other.close(promise: nil)
  }
}

import EssentialFoundation
import MartletCore
import MartletTesting
import NIOCore
import NIOPosix
import NIOSSL

/// A server that goes on sending, without an end, when it has sent its part of a handshake.
struct FloodingServer {
  private let channel: any Channel
  /// How many bytes the system has taken after the handshake.
  let sent: Locked<Int>

  var port: Int { channel.localAddress?.port ?? 0 }

  /// Starts one that listens, with a certificate and its key.
  static func start(_ credential: CertifiedKey) async throws -> FloodingServer {
    let context = try NIOSSLContext(
      configuration: .makeServerConfiguration(
        certificateChain: try credential.certificateSources(),
        privateKey: try credential.privateKeySource()))
    let sent = Locked(0)
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let handlers: [any ChannelHandler] = [Flood(sent), NIOSSLServerHandler(context: context)]
          try channel.pipeline.syncOperations.addHandlers(handlers)
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    return FloodingServer(channel: channel, sent: sent)
  }

  func stop() async throws {
    try await channel.close()
  }
}

/// Sends one part after the other, each when the system has taken the one before.
private final class Flood: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private static let part = ByteBuffer(repeating: 0x17, count: 256 << 10)

  private let sent: Locked<Int>
  private var hasBegun = false

  init(_ sent: Locked<Int>) {
    self.sent = sent
  }

  func flush(context: ChannelHandlerContext) {
    context.flush()
    guard !hasBegun else { return }
    hasBegun = true
    send(context)
  }

  private func send(_ context: ChannelHandlerContext) {
    let taken = context.eventLoop.makePromise(of: Void.self)
    taken.futureResult.assumeIsolated().whenSuccess { [sent] in
      sent.withLock { $0 += Self.part.readableBytes }
      self.send(context)
    }
    context.writeAndFlush(wrapOutboundOut(Self.part), promise: taken)
  }
}

import EssentialFoundation
import MartletCore
import MartletTesting
import NIOCore
import NIOPosix
import NIOSSL

/// A server that goes on sending, without an end, when it has sent its part of a handshake.
struct FloodingServer {
  private let channel: any Channel
  private let clients: Locked<[any Channel]>
  /// How many bytes the system has taken after the handshake.
  let sent: Locked<Int>

  var port: Int { channel.localAddress?.port ?? 0 }

  /// Starts one that listens.
  static func start(_ tls: ServerTLS) async throws -> FloodingServer {
    let context = try tls.context()
    let clients = Locked<[any Channel]>([])
    let sent = Locked(0)
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        clients.withLock { $0.append(channel) }
        return channel.eventLoop.makeCompletedFuture {
          let handlers: [any ChannelHandler] = [Flood(sent), NIOSSLServerHandler(context: context)]
          try channel.pipeline.syncOperations.addHandlers(handlers)
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    return FloodingServer(channel: channel, clients: clients, sent: sent)
  }

  /// Waits until the system has taken something and takes no more, or has taken 64 MiB.
  ///
  /// - Returns: How many bytes it has taken after the handshake. The buffers of both systems take some MiB.
  func untilBlocked() async throws -> Int {
    var (sent, silence) = (0, 0)
    while silence < 20, sent < 64 << 20 {
      try await Task.sleep(for: .milliseconds(20))
      let now = self.sent.current
      silence = now == sent && now > 0 ? silence + 1 : 0
      sent = now
    }
    return sent
  }

  /// Resets all connections.
  func reset() async throws {
    for client in clients.current { try await client.closeWithReset() }
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

import EssentialFoundation
import NIOCore
import NIOPosix

/// Passes the bytes of clients on to a server at once, and those of the server back slowly.
struct SlowRelay {
  /// How the bytes of the server pass.
  struct Pace {
    /// How many bytes pass at once.
    var piece: Int
    /// The time from one piece to the next.
    var interval: TimeAmount
    /// How many bytes of a connection pass before no more do. The default is no limit.
    var limit = Int.max

    static let unhindered = Pace(piece: .max, interval: .zero)
  }

  /// A loop of its own, so that tests that hold up a loop do not hold up the relay.
  static let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  private let channel: any Channel
  private let clients: Locked<[any Channel]>
  private let servers: Locked<[any Channel]>

  var port: Int { channel.localAddress?.port ?? 0 }

  /// Starts a relay.
  ///
  /// - Parameters:
  ///   - server: The port of the server on this host.
  ///   - pace: How the bytes of the server pass.
  /// - Returns: A relay that listens.
  /// - Throws: The system's error when it cannot listen.
  static func start(to server: Int, _ pace: Pace) async throws -> SlowRelay {
    let (clients, servers) = (Locked<[any Channel]>([]), Locked<[any Channel]>([]))
    let bootstrap = ServerBootstrap(group: loops)
      .childChannelOption(.autoRead, value: false)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { client in
        clients.withLock { $0.append(client) }
        return ClientBootstrap(group: client.eventLoop)
          .channelInitializer { server in
            servers.withLock { $0.append(server) }
            return server.eventLoop.makeCompletedFuture {
              try server.pipeline.syncOperations.addHandler(Passing(to: client, pace))
              try client.pipeline.syncOperations.addHandler(Passing(to: server, nil))
            }
          }
          .connect(host: "127.0.0.1", port: server)
          .flatMap { _ in client.setOption(.autoRead, value: true) }
      }
    let channel = try await bootstrap.bind(host: "127.0.0.1", port: 0).get()
    return SlowRelay(channel: channel, clients: clients, servers: servers)
  }

  /// Sends bytes to all clients that the server has not sent.
  func insertForClients(_ bytes: ByteBuffer) {
    for client in clients.current { client.writeAndFlush(bytes, promise: nil) }
  }

  /// Sends bytes to the server, on all connections, that the client has not sent.
  func insertForServer(_ bytes: ByteBuffer) {
    for server in servers.current { server.writeAndFlush(bytes, promise: nil) }
  }

  func stop() async throws {
    try await channel.close()
  }
}

/// Passes the bytes of a channel on to another one.
private final class Passing: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let target: any Channel
  private let pace: SlowRelay.Pace?
  private var held = ByteBuffer()
  private var isWaiting = false
  private var isOver = false
  private var passed = 0

  /// - Parameters:
  ///   - target: The other channel.
  ///   - pace: How the bytes pass; `nil` if they pass at once.
  init(to target: any Channel, _ pace: SlowRelay.Pace?) {
    self.target = target
    self.pace = pace
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    guard let pace else { return target.writeAndFlush(bytes, promise: nil) }
    held.writeBuffer(&bytes)
    if !isWaiting { pass(pace, context.eventLoop) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    isOver = true
    if !isWaiting { target.close(promise: nil) }
  }

  private func pass(_ pace: SlowRelay.Pace, _ loop: any EventLoop) {
    let count = min(held.readableBytes, pace.piece, pace.limit - passed)
    isWaiting = count > 0
    guard let piece = held.readSlice(length: count), isWaiting else {
      if isOver { target.close(promise: nil) }
      return
    }
    passed += count
    target.writeAndFlush(piece, promise: nil)
    loop.assumeIsolated().scheduleTask(in: pace.interval) { self.pass(pace, loop) }
  }
}

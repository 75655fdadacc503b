import EssentialFoundation
import NIOCore
import NIOPosix
import NIOSSL

/// A listening socket and the connections that it has accepted.
final class Listener: Sendable {
  /// The address to listen on.
  enum BindAddress: Sendable {
    case address(host: String, port: Int)
    case unixSocket(path: String)
  }

  /// Adds the handlers to a new connection; `number` counts connections from 0.
  typealias SetUp = @Sendable (_ channel: any Channel, _ number: Int) throws -> Void

  let connections: ConnectionRegistry
  private let channel: any Channel
  private let address: BindAddress

  private init(channel: any Channel, connections: ConnectionRegistry, address: BindAddress) {
    self.channel = channel
    self.connections = connections
    self.address = address
  }

  /// A listener that is released closes its socket and its connections.
  deinit {
    channel.close(promise: nil)
    connections.closeAll()
  }

  static func bind(
    to address: BindAddress, connections: ConnectionRegistry, tls: NIOSSLContext?,
    setUp: @escaping SetUp
  ) async throws -> Listener {
    let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.backlog, value: 1024)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          guard let number = connections.register(channel) else {
            throw ChannelError.ioOnClosedChannel
          }
          defer { connections.removeOnClose(channel) }
          if let tls {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls))
          }
          try setUp(channel, number)
        }
      }
    let channel =
      switch address {
      case .address(let host, let port): try await bootstrap.bind(host: host, port: port).get()
      case .unixSocket(let path):
        try await bootstrap.bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
      }
    return Listener(channel: channel, connections: connections, address: address)
  }

  /// The TCP port; 0 for a Unix-domain socket.
  var port: Int { channel.localAddress?.port ?? 0 }

  /// Stops listening, closes all connections, and returns when they are gone.
  func stop() async {
    try? await channel.close()
    connections.closeAll()
    try? await connections.state.waitWithoutLimit { $0.open.isEmpty }
    if case .unixSocket(let path) = address { try? FileManager.default.removeItem(atPath: path) }
  }

  /// Returns when the socket has stopped listening.
  func closed() async {
    try? await channel.closeFuture.get()
  }
}

import Foundation
import MartletTesting
import NIOCore
import NIOPosix
import NIOSSL

/// A client that knows nothing of HTTP: it sends text and collects what comes back.
final class RawClient: Sendable {
  struct Wire: Sendable {
    var bytes = ByteBuffer()
    var count = 0
    var isClosed = false
    var isInputClosed = false
    var error: (any Error)?

    var text: String { String(buffer: bytes) }
  }

  let wire: AwaitableValue<Wire>
  private let channel: any Channel

  private init(channel: any Channel, wire: AwaitableValue<Wire>) {
    self.channel = channel
    self.wire = wire
  }

  deinit {
    channel.close(promise: nil)
  }

  static func connect(
    to url: URL, socket: String? = nil, tls: TLSConfiguration? = nil, keepsBytes: Bool = true,
    allowsHalfClosure: Bool = false
  ) async throws -> RawClient {
    let wire = AwaitableValue(Wire())
    let host = url.host(percentEncoded: false) ?? ""
    let context = try tls.map { try NIOSSLContext(configuration: $0) }
    let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.allowRemoteHalfClosure, value: allowsHalfClosure)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          if let context {
            let name = host.contains(where: \.isLetter) ? host : nil
            try channel.pipeline.syncOperations.addHandler(
              try NIOSSLClientHandler(context: context, serverHostname: name))
          }
          try channel.pipeline.syncOperations.addHandler(Collector(wire, keepsBytes: keepsBytes))
        }
      }
    let channel =
      if let socket {
        try await bootstrap.connect(unixDomainSocketPath: socket).get()
      } else {
        try await bootstrap.connect(host: host, port: url.port ?? 80).get()
      }
    return RawClient(channel: channel, wire: wire)
  }

  func send(_ text: String) async throws {
    try await channel.writeAndFlush(ByteBuffer(string: text)).get()
  }

  /// What has come when it is as wanted.
  @discardableResult
  func read(until isMet: @escaping @Sendable (String) -> Bool) async throws -> String {
    try await wire.wait(within: .seconds(10)) {
      "Got “\($0.text.prefix(200))”."
    } until: {
      isMet($0.text) || $0.isClosed
    }
    return wire.current.text
  }

  /// All that has come when the server closes.
  func readToEnd() async throws -> ByteBuffer {
    try await wire.wait(within: .seconds(20)) {
      "Not closed after “\($0.text.prefix(200))”."
    } until: {
      $0.isClosed
    }
    return wire.current.bytes
  }

  func close() async {
    try? await channel.close()
  }
}

private final class Collector: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  let wire: AwaitableValue<RawClient.Wire>
  let keepsBytes: Bool

  init(_ wire: AwaitableValue<RawClient.Wire>, keepsBytes: Bool) {
    self.wire = wire
    self.keepsBytes = keepsBytes
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = Self.unwrapInboundIn(data)
    wire.update { wire in
      wire.count += bytes.readableBytes
      if keepsBytes { wire.bytes.writeImmutableBuffer(bytes) }
    }
  }

  func channelInactive(context: ChannelHandlerContext) { wire.update { $0.isClosed = true } }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case ChannelEvent.inputClosed = event else { return }
    wire.update { $0.isInputClosed = true }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    wire.update { $0.error = error }
    context.close(promise: nil)
  }
}

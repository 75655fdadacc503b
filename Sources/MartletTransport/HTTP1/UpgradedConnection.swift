import HTTPTypes
import MartletCore
import NIOCore
import Synchronization

/// A connection that has switched from HTTP to another protocol (RFC 9110 §7.8, §9.3.6).
///
/// It does not use the event loop of a channel that is closed, because that may have been shut down since.
final class UpgradedConnection: ByteStream {
  private let channel: any Channel
  private let reader: UpgradedConnectionHandler
  private let incoming: BodyStream
  private let origin: Origin
  private let proxy: String?
  private let isClosed = Atomic(false)

  /// Adds its channel handler after `handler`, which is about to be removed.
  init(_ channel: any Channel, behind handler: HTTP1Connection) throws {
    origin = handler.pool.origin
    proxy = handler.info.proxy
    let reader = UpgradedConnectionHandler(origin, through: proxy)
    self.reader = reader
    incoming = BodyStream(loop: channel.eventLoop, isDecided: true) {
      channel.eventLoop.execute { reader.resume() }
    } cancel: { _ in
      channel.eventLoop.execute { reader.closeAtOnce() }
    } deliver: { _, handler in
      handler(.success(nil))
    }
    reader.stream = incoming
    self.channel = channel
    try channel.pipeline.syncOperations.addHandler(reader, position: .after(handler))
  }

  deinit {
    close()
  }

  func read() async throws -> ByteBuffer? {
    if Task.isCancelled { close() }
    guard !isClosed.load(ordering: .relaxed) else { throw MartletError.cancelled }
    return try await incoming.next()
  }

  func write(_ bytes: ByteBuffer) async throws {
    do {
      guard channel.isActive else { throw ChannelError.ioOnClosedChannel }
      try await withTaskCancellationHandler {
        try await channel.writeAndFlush(bytes).get()
      } onCancel: {
        guard channel.isActive else { return }
        channel.eventLoop.execute { [reader] in reader.closeAtOnce() }
      }
    } catch {
      throw Task.isCancelled || isClosed.load(ordering: .relaxed)
        ? MartletError.cancelled
        : .upgradedConnectionLost(origin, through: proxy, underlying: error)
    }
  }

  func close() {
    isClosed.store(true, ordering: .relaxed)
    incoming.finish(.failure(.cancelled))
    incoming.abandon()
    if channel.isActive { channel.close(promise: nil) }
  }
}

/// Passes the bytes that the channel receives to the stream, and stops reading while the stream is full.
///
/// Unchecked because it is confined to the channel's event loop, which debug builds assert. `stream` is set before the
/// handler is added to the channel.
final class UpgradedConnectionHandler: ChannelDuplexHandler, @unchecked Sendable {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer

  /// Weak, because the closures of the stream refer to this handler.
  weak var stream: BodyStream?
  private let origin: Origin
  private let proxy: String?
  private var isFull = false
  private var isReadPending = false
  private var lastError: (any Error)?
  private var context: ChannelHandlerContext?

  init(_ origin: Origin, through proxy: String?) {
    self.origin = origin
    self.proxy = proxy
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
  }

  func read(context: ChannelHandlerContext) {
    if isFull { isReadPending = true } else { context.read() }
  }

  /// Resumes reading, because the stream has room again.
  func resume() {
    context?.eventLoop.assertInEventLoop()
    isFull = false
    guard isReadPending else { return }
    isReadPending = false
    context?.read()
  }

  /// Closes without waiting for pending writes or for the TLS close handshake.
  func closeAtOnce() {
    context?.eventLoop.assertInEventLoop()
    context?.closeAtOnce()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if stream?.receive(unwrapInboundIn(data)) == false { isFull = true }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    lastError = error
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    if let lastError {
      stream?.finish(
        .failure(.upgradedConnectionLost(origin, through: proxy, underlying: lastError)))
    } else {
      stream?.finish(.success(ResponseBody.Completion(trailers: nil, metrics: nil)))
    }
    context.fireChannelInactive()
  }
}

/// The switch to another protocol.
extension HTTP1Connection {
  /// Passes the connection to the caller, after a head that switches to another protocol.
  ///
  /// - Throws: `MartletError` with code `.malformedResponse` if the request did not ask for the switch, or has not been
  ///   sent completely; an error such as `.connectionLost` when the channel has ended.
  func upgrade(_ head: ResponseHead, _ exchange: Exchange) throws(MartletError) {
    guard exchange.request.mayUpgrade else {
      throw .malformedResponse("it switches to a protocol that was not asked for")
    }
    guard exchange.sending.isWhole else {
      throw .malformedResponse("it switches to another protocol before the request has ended")
    }
    guard let context else {
      throw pool.connectionError(
        info, sent: .whole, isFresh: false, underlying: ChannelError.alreadyClosed)
    }
    forwardProxy?.access.receiveAuthenticationInfo(head)
    let connection: UpgradedConnection
    do {
      connection = try UpgradedConnection(context.channel, behind: self)
    } catch {
      throw pool.connectionError(info, sent: .whole, isFresh: false, underlying: error)
    }
    // Bytes that arrived with the head belong to the new protocol.
    let surplus = parser.takeSurplus()
    exchange.receiving.bytes -= Int64(surplus.readableBytes)
    if surplus.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(surplus)) }
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
    self.exchange = nil
    pool.closed(self)
    exchange.receive(head, over: connection)
  }
}

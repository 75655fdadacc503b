import MartletCore
import NIOCore

/// Feeds what the channel receives to the stream, and stops reading while the stream is full.
///
/// Unchecked because it is confined to the channel's event loop, which debug builds assert; `stream` is set before it
/// gets there.
final class DetachedReader: ChannelDuplexHandler, @unchecked Sendable {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer

  /// Weak, because dropping the stream closes the channel.
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

  /// The reader has taken half of what lay there.
  func resume() {
    context?.eventLoop.assertInEventLoop()
    isFull = false
    guard isReadPending else { return }
    isReadPending = false
    context?.read()
  }

  /// Closes without waiting for what was written, or for the farewell of TLS.
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
        .failure(.connectionLost(origin, sent: .whole, through: proxy, underlying: lastError)))
    } else {
      stream?.finish(.success(ResponseBody.Completion(trailers: nil, metrics: nil)))
    }
    context.fireChannelInactive()
  }
}

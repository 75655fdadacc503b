import NIOCore

/// Reads nothing while the certificates of a handshake are evaluated.
///
/// TLS cannot decrypt anything then, and would keep all that a server sends. The handler is in front of TLS, and leaves the
/// pipeline at the end of the handshake. A server that closes its side is noticed nevertheless, unless it has sent more
/// than the system takes.
final class ReadPause: ChannelOutboundHandler, RemovableChannelHandler {
  typealias OutboundIn = ByteBuffer

  private var isPaused = false
  private var heldRead: ChannelHandlerContext?

  /// Reads nothing until `verdict` is known, which must be a future of the channel's event loop.
  func pause<Verdict>(until verdict: EventLoopFuture<Verdict>) {
    isPaused = true
    verdict.assumeIsolated().whenComplete { _ in
      self.isPaused = false
      self.heldRead.take()?.read()
    }
  }

  func read(context: ChannelHandlerContext) {
    if isPaused { heldRead = context } else { context.read() }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    heldRead = nil
  }
}

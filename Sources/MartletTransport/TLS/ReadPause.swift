import NIOCore

/// Gives TLS one part after the other during a handshake, and no part while TLS waits for an answer.
///
/// An answer is the verdict on the server's certificates, or the client's certificate. Without it TLS can decrypt
/// nothing: it would keep all that a server sends, and would ask for the client's certificate anew at each part. The
/// handler is in front of TLS, and leaves the pipeline at the end of the handshake. A server that closes its side is
/// noticed nevertheless, unless it has sent more than the system takes.
final class ReadPause: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer

  /// TLS takes an answer in the turn of the event loop after it, may ask again there, and may have that answer in the
  /// turn after that.
  private static let turnsAfterAnswer = 3

  private var context: ChannelHandlerContext?
  private let held = HeldReads()
  private var pauses = 0

  /// Reads nothing until TLS has taken `answer`, which must be a future of the channel's event loop.
  func pause<Answer>(until answer: EventLoopFuture<Answer>) {
    pauses += 1
    answer.assumeIsolated().whenComplete { _ in self.resume(after: Self.turnsAfterAnswer) }
  }

  private func resume(after turns: Int) {
    guard let context else { return }
    guard turns == 0 else {
      return context.eventLoop.assumeIsolated().execute { self.resume(after: turns - 1) }
    }
    pauses -= 1
    while pauses == 0, let part = held.next() {
      pass(part, context)
      context.fireChannelReadComplete()
    }
    if pauses == 0 { held.passRead(context) }
  }

  /// Passes a part on. TLS may have asked for an answer then that it gets in the next turn.
  private func pass(_ part: NIOAny, _ context: ChannelHandlerContext) {
    pauses += 1
    context.fireChannelRead(part)
    resume(after: 1)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if pauses == 0 { pass(data, context) } else { held.append(data) }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if held.isEmpty { context.fireChannelReadComplete() }
  }

  func read(context: ChannelHandlerContext) {
    if pauses == 0 { context.read() } else { held.holdRead() }
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
  }

  /// Leaves in the next turn, because TLS is in the middle of its work when the handshake ends.
  func removeHandler(
    context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken
  ) {
    context.eventLoop.assumeIsolated().execute {
      self.held.passAll(context)
      context.leavePipeline(removalToken: removalToken)
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
    held.drop()
  }
}

import NIOCore

/// Gives TLS one part after the other during a handshake, and no part while TLS waits for an answer.
///
/// An answer is the verdict on the server's certificates, or the client's certificate. Without it TLS can decrypt
/// nothing: it would keep all that a server sends, and would ask for the client's certificate again at each part. The
/// handler is in front of TLS, and leaves the pipeline at the end of the handshake. A server that closes its side is
/// noticed nevertheless, unless it has sent more than the system takes.
final class ReadPause: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer

  /// TLS takes an answer in the turn of the event loop that follows. It may ask again in that turn, and may take a second
  /// answer in the next one.
  private static let turnsAfterAnswer = 3

  private var context: ChannelHandlerContext?
  private let held = HeldReads()
  /// How many answers TLS waits for, or has not taken yet.
  private var openAnswers = 0
  /// Whether TLS was given a part in this turn.
  private var hasPassed = false

  private var isPaused: Bool { openAnswers > 0 || hasPassed }

  /// Reads nothing until TLS has taken an answer.
  ///
  /// - Parameter answer: The answer, a future of the channel's event loop.
  func pause<Answer>(until answer: EventLoopFuture<Answer>) {
    openAnswers += 1
    answer.assumeIsolated().whenComplete { _ in
      self.after(turns: Self.turnsAfterAnswer) { $0.openAnswers -= 1 }
    }
  }

  /// Passes a part on. TLS may have asked for an answer then that it takes in the next turn.
  private func pass(_ part: NIOAny, _ context: ChannelHandlerContext) {
    hasPassed = true
    context.fireChannelRead(part)
    after(turns: 1) { $0.hasPassed = false }
  }

  /// Goes on after some turns of the event loop, and a change.
  private func after(turns: Int, _ change: @escaping (ReadPause) -> Void) {
    guard let context else { return }
    guard turns > 0 else {
      change(self)
      return passNext(context)
    }
    context.eventLoop.assumeIsolated().execute { self.after(turns: turns - 1, change) }
  }

  private func passNext(_ context: ChannelHandlerContext) {
    guard !isPaused else { return }
    guard let part = held.next() else { return held.passRead(context) }
    pass(part, context)
    context.fireChannelReadComplete()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isPaused { held.append(data) } else { pass(data, context) }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if held.isEmpty { context.fireChannelReadComplete() }
  }

  /// An alert may be among the parts that TLS was to be given in the next turns.
  func channelInactive(context: ChannelHandlerContext) {
    while openAnswers == 0, let part = held.next() { context.fireChannelRead(part) }
    context.fireChannelInactive()
  }

  func read(context: ChannelHandlerContext) {
    if isPaused { held.holdRead() } else { context.read() }
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

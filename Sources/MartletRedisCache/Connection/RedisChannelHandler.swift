import MartletCore
import NIOCore

/// Sends commands without waiting for the replies of earlier ones, and matches the replies with them in order.
///
/// After a failure the order is lost, so that the connection is closed: when the replies are late, when they are not
/// RESP2, and when they do not match their commands.
final class RedisChannelHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = RedisBatch
  typealias OutboundOut = ByteBuffer

  private var decoder: RESPDecoder
  private var buffer = ByteBuffer()
  /// The commands without all of their replies.
  private var pending: CircularBuffer<RedisBatch> = []
  /// The number of the last of them that are still being written.
  private var unwrittenCount = 0
  /// The replies to the first of them, so far.
  private var replies: [RESPValue] = []
  /// When the first of them became the first.
  private var start = NIODeadline.distantPast
  /// When bytes were last received, or the first of them were written.
  private var lastProgress = NIODeadline.distantPast
  private var timer: Scheduled<Void>?
  private var failure: RedisFailure?

  init(_ limits: RESPDecoder.Limits) {
    decoder = RESPDecoder(limits)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let batch = unwrapOutboundIn(data)
    if let failure {
      batch.promise.fail(failure)
      promise?.fail(failure)
      return
    }
    if pending.isEmpty { start = context.eventLoop.now }
    pending.append(batch)
    unwrittenCount += 1
    let written = promise ?? context.eventLoop.makePromise()
    written.futureResult.assumeIsolated().whenSuccess { self.didWrite(context) }
    startTimer(context)
    context.write(wrapOutboundOut(batch.bytes), promise: written)
  }

  private func didWrite(_ context: ChannelHandlerContext) {
    unwrittenCount -= 1
    // Only the first commands have a timer, and they may have been written earlier.
    guard unwrittenCount == pending.count - 1 else { return }
    lastProgress = context.eventLoop.now
    stopTimer()
    startTimer(context)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard failure == nil else { return }
    lastProgress = context.eventLoop.now
    let bytes = unwrapInboundIn(data)
    if buffer.readableBytes == 0 { buffer = bytes } else { buffer.writeImmutableBuffer(bytes) }
    do {
      while let reply = try decoder.decode(buffer: &buffer) { try receive(reply) }
      guard !pending.isEmpty || buffer.readableBytes == 0 && decoder.isBetweenReplies else {
        throw RESPProblem.unexpectedReply
      }
    } catch {
      return fail(.notRESP(error), context)
    }
    buffer.discardReadBytes()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    fail(.failed(error), context)
  }

  func channelInactive(context: ChannelHandlerContext) {
    fail(.closed, context)
    context.fireChannelInactive()
  }

  private func receive(_ reply: RESPValue) throws(RESPProblem) {
    guard let first = pending.first else { throw .unexpectedReply }
    guard first.replies[replies.count].accepts(reply) else {
      throw RESPProblem("a reply has another type than its command")
    }
    replies.append(reply)
    guard replies.count == first.replies.count else { return }
    pending.removeFirst()
    start = lastProgress
    // The time limits of the next commands may be shorter.
    if pending.isEmpty { stopTimer() }
    let whole = replies
    replies = []
    first.promise.succeed(whole)
  }

  private func fail(_ failure: RedisFailure, _ context: ChannelHandlerContext) {
    guard self.failure == nil else { return }
    self.failure = failure
    stopTimer()
    let failed = pending
    pending = []
    for batch in failed { batch.promise.fail(failure) }
    context.close(promise: nil)
  }

  // MARK: Time limits

  /// When the first commands fail, and the limit that they exceed then; `nil` if there are none.
  private var deadline: (time: NIODeadline, limit: Duration)? {
    guard let limits = pending.first?.limits else { return nil }
    let end = start + TimeAmount(limits.total)
    guard unwrittenCount < pending.count else { return (end, limits.total) }
    let silent = max(lastProgress, start) + TimeAmount(limits.silence)
    return silent < end ? (silent, limits.silence) : (end, limits.total)
  }

  /// Starts the timer, which is set again when it fires too early.
  private func startTimer(_ context: ChannelHandlerContext) {
    guard timer == nil, let deadline else { return }
    timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline.time) {
      self.timer = nil
      self.checkDeadline(context)
    }
  }

  private func stopTimer() {
    timer?.cancel()
    timer = nil
  }

  private func checkDeadline(_ context: ChannelHandlerContext) {
    guard let deadline else { return }
    guard deadline.time <= context.eventLoop.now else { return startTimer(context) }
    fail(.timedOut(after: deadline.limit), context)
  }
}

extension RESPProblem {
  fileprivate static let unexpectedReply = RESPProblem("there is a reply without a command")
}

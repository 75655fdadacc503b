import MartletCore
import NIOCore

/// Commands that are sent together, with a promise of their replies.
struct RedisBatch: Sendable {
  let bytes: ByteBuffer
  let replies: [RESPCommand.Reply]
  /// How long the replies may take.
  let timeout: Duration
  let promise: EventLoopPromise<[RESPValue]>

  init(
    _ commands: [RESPCommand], within timeout: Duration, _ promise: EventLoopPromise<[RESPValue]>
  ) {
    bytes = commands.reduce(into: ByteBuffer()) { $1.write(to: &$0) }
    replies = commands.map(\.reply)
    self.timeout = timeout
    self.promise = promise
  }
}

/// Sends commands without waiting for the replies of earlier ones, and matches the replies with them in order.
///
/// After a failure the order is lost, so that the connection is closed: when the replies are late, when they are not
/// RESP2, and when they do not match their commands.
final class RedisChannelHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = RedisBatch
  typealias OutboundOut = ByteBuffer

  private struct Pending {
    let batch: RedisBatch
    let deadline: NIODeadline
  }

  private let processor: NIOSingleStepByteToMessageProcessor<RESPDecoder>
  private var pending: CircularBuffer<Pending> = []
  /// The replies to the first of them, so far.
  private var replies: [RESPValue] = []
  private var timer: Scheduled<Void>?
  private var failure: RedisFailure?

  init(_ limits: RESPDecoder.Limits) {
    processor = NIOSingleStepByteToMessageProcessor(RESPDecoder(limits))
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let batch = unwrapOutboundIn(data)
    if let failure {
      batch.promise.fail(failure)
      promise?.fail(failure)
      return
    }
    let deadline = context.eventLoop.now + TimeAmount(batch.timeout)
    pending.append(Pending(batch: batch, deadline: deadline))
    startTimer(context)
    context.write(wrapOutboundOut(batch.bytes), promise: promise)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard failure == nil else { return }
    do {
      try processor.process(buffer: unwrapInboundIn(data)) { try receive($0) }
    } catch {
      fail(.nonsense(error), context)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    fail(.failed(error), context)
  }

  func channelInactive(context: ChannelHandlerContext) {
    fail(.closed, context)
    context.fireChannelInactive()
  }

  private func receive(_ reply: RESPValue) throws(RESPProblem) {
    guard let first = pending.first else { throw RESPProblem("there is a reply without a command") }
    guard first.batch.replies[replies.count].accepts(reply) else {
      throw RESPProblem("a reply has another type than its command")
    }
    replies.append(reply)
    guard replies.count == first.batch.replies.count else { return }
    pending.removeFirst()
    if pending.isEmpty { stopTimer() }
    let whole = replies
    replies = []
    first.batch.promise.succeed(whole)
  }

  // MARK: Deadlines

  /// Waits for the deadline of the first commands, which is the earliest.
  private func startTimer(_ context: ChannelHandlerContext) {
    guard timer == nil, let deadline = pending.first?.deadline else { return }
    timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) {
      self.timer = nil
      self.checkDeadline(context)
    }
  }

  /// Forgets the deadline, because that of the next commands may be earlier.
  private func stopTimer() {
    timer?.cancel()
    timer = nil
  }

  private func checkDeadline(_ context: ChannelHandlerContext) {
    guard let first = pending.first, first.deadline <= context.eventLoop.now else {
      return startTimer(context)
    }
    fail(.timedOut(after: first.batch.timeout), context)
  }

  private func fail(_ failure: RedisFailure, _ context: ChannelHandlerContext) {
    guard self.failure == nil else { return }
    self.failure = failure
    stopTimer()
    let failed = pending
    pending = []
    for pending in failed { pending.batch.promise.fail(failure) }
    context.close(promise: nil)
  }
}

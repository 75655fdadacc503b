import HTTPTypes
import MartletCore
import NIOCore

/// A connection that speaks HTTP/1.1: one exchange after another (RFC 9112).
///
/// A channel handler confined to its event loop. Sending and receiving are in files of their own.
///
/// Unchecked because of that confinement: every call reaches it on the loop, which debug builds assert.
final class HTTP1Connection: ChannelDuplexHandler, PooledConnection, ExchangeCarrier,
  @unchecked Sendable
{
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  let id: ConnectionID
  let info: ConnectionInfo
  let pool: ConnectionPool
  let limits: EngineConfiguration.Limits
  let authority: String
  /// What is said to a proxy that passes the requests on.
  var forwarder: Forwarder?
  var parser: ResponseParser
  var mark = ReceiveMark()
  var sendProgress = SendProgress()
  /// Heads are written here; once one has left, the next takes its place.
  var headBuffer = ByteBuffer()
  var exchange: ActiveExchange?
  var context: ChannelHandlerContext?
  private(set) var exchangeCount = 0
  private var isReadPending = false
  private var lastError: (any Error)?

  init(
    id: ConnectionID, pool: ConnectionPool, info: ConnectionInfo,
    limits: EngineConfiguration.Limits, forwarder: ProxyAccess? = nil
  ) {
    self.id = id
    self.pool = pool
    self.info = info
    self.limits = limits
    authority = pool.origin.authority
    self.forwarder = forwarder.map { Forwarder($0, authority: pool.origin.authority) }
    parser = ResponseParser(headLimit: limits.responseHead)
  }

  var loop: any EventLoop { pool.loop }
  var capacity: PoolConnection.Capacity { .one }
  var isAtRest: Bool { exchange == nil }
  /// What came before the first request (RFC 9112 §9.2).
  var refusal: MartletError?
  var isStanding: Bool { context?.channel.isStanding ?? false }
  var isReused: Bool { exchangeCount > 1 }
  /// Whether the connection has been given a request.
  var hasServed: Bool { exchangeCount > 0 }
  /// Whether the connection has waited for work, so that the server may have closed it meanwhile.
  var wasIdle = false
  /// Whether the network connection still stands.
  var isActive: Bool { context?.channel.isActive ?? false }

  // MARK: What the pool and the call ask

  func start(_ call: Call) {
    loop.assertInEventLoop()
    exchangeCount += 1
    exchange = ActiveExchange(call)
    call.start(on: self)
    parser.begin(call.request.method)
    guard let context, context.channel.isActive else { return connectionEnded() }
    send(call.outgoing, context: context)
  }

  func carries(_ call: Call) -> Bool { exchange?.call === call }

  func abort(_ call: Call, _ error: MartletError) -> ResponseHead? {
    loop.assertInEventLoop()
    guard let exchange, exchange.call === call else { return nil }
    dropExchange(error)
    context?.closeAtOnce()
    return exchange.head
  }

  func setSuspended(_ suspended: Bool, _ call: Call) {
    loop.assertInEventLoop()
    guard exchange?.call === call, exchange?.isSuspended != suspended else { return }
    exchange?.isSuspended = suspended
    pauseChanged()
    if suspended { exchange?.upload?.hold() } else { resumeUpload() }
  }

  func rest() {
    wasIdle = true
  }

  func close() {
    context?.close(promise: nil)
  }

  func shutDown(abandoning: Bool) {
    loop.assertInEventLoop()
    guard let call = exchange?.call else { return close() }
    if abandoning { call.end(.shutDown) }
  }

  func checkDeadlines(_ call: Call, _ now: NIODeadline) {
    adjustMark(now)
    if sendProgress.look(at: context?.channel, now) { call.noteLeft(now) }
    if exchange?.isDiscardOver(now) == true { return endEarly() }
    if exchange?.isEndHeldTooLong(now) == true { put(.stream, for: call) { _ in } }
    guard let due = exchange?.continueBy, due <= now else { return }
    startUpload()
  }

  // MARK: What the channel tells

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    receive(unwrapInboundIn(data))
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { resumeUpload() }
    context.fireChannelWritabilityChanged()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    lastError = error
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    connectionEnded()
    context.fireChannelInactive()
  }

  /// Reading stops while nobody wants bytes, and the server's window with it.
  func read(context: ChannelHandlerContext) {
    if exchange?.isPaused == true {
      isReadPending = true
    } else {
      context.read()
    }
  }

  /// Somebody wants bytes again, or no longer does.
  func pauseChanged() {
    guard let exchange else { return }
    exchange.call.setPaused(exchange.isPaused)
    if !exchange.isPaused { resumeReading() }
  }

  /// Makes up for a read that was held back.
  func resumeReading() {
    guard isReadPending else { return }
    isReadPending = false
    context?.read()
  }

  // MARK: The end of an exchange

  /// The connection is of no use any more; the error says why.
  func fail(_ error: MartletError) {
    loop.assertInEventLoop()
    if exchange?.isBodyNeedless == true { return endEarly() }
    var error = error
    if error.response == nil, let head = exchange?.head { error.response = head }
    if exchange?.bytesSent == 0 { error.isSafeToRetry = true }
    dropExchange(error)?.fail(error)
    context?.closeAtOnce()
  }

  /// Forgets the exchange and lets go of all that it holds.
  @discardableResult
  func dropExchange(_ error: MartletError) -> Call? {
    guard let exchange else { return nil }
    self.exchange = nil
    exchange.drop(error)
    return exchange.call
  }

  private func connectionEnded() {
    pool.closed(self)
    guard let exchange, !exchange.isReceived else { return }
    let call = exchange.call
    if isStale(call) {
      exchange.upload?.cancel()
      self.exchange = nil
      return call.rewind()
    }
    do throws(MartletError) {
      // A TLS connection cut short proves nothing about the end of a body (RFC 9112 §9.8).
      if let part = try parser.finish(), lastError == nil {
        try handle(part)
      } else if parser.framing == .untilClose, exchange.head != nil {
        throw .bodyTruncated(received: parser.bodyBytes, of: nil)
      } else {
        throw pool.lost(
          info, sent: exchange.sent,
          isFresh: !isReused && !wasIdle && exchange.bytesReceived == 0, underlying: lastError)
      }
    } catch {
      fail(error)
    }
  }

  /// Whether the server closed the connection between two exchanges, or while it was idle, so that the
  /// request may go out again on another: no byte of an answer has come, and the request is idempotent
  /// (RFC 9110 §9.2.2) or was never sent. Or what came was a proxy's, and said to send it again.
  private func isStale(_ call: Call) -> Bool {
    if exchange?.isAskedAgain == true { return true }
    guard wasIdle || isReused, exchange?.bytesReceived == 0 else { return false }
    if exchange?.bytesSent == 0 { return true }
    return call.request.method.isIdempotent && call.request.body.isReplayable
  }
}

extension HTTPRequest.Method {
  /// Whether sending a request twice has the effect of sending it once (RFC 9110 §9.2.2).
  var isIdempotent: Bool {
    switch self {
    case .get, .head, .put, .delete, .options, .trace: true
    default: false
    }
  }
}

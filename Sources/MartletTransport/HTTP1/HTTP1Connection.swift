import MartletCore
import NIOCore

/// An HTTP/1.1 connection, which carries one exchange after another (RFC 9112).
///
/// A channel handler confined to its event loop. Sending and receiving are in other files.
///
/// Unchecked because of that confinement: all its functions run on the loop, which debug builds assert.
final class HTTP1Connection: ChannelDuplexHandler, RemovableChannelHandler, PooledConnection,
  ExchangeCodec,
  @unchecked Sendable
{
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer
  typealias InboundOut = ByteBuffer

  let id: ConnectionID
  let info: ConnectionInfo
  let pool: ConnectionPool
  let authority: String
  // The accesses to these are not checked at run time: only the event loop makes them, and the functions of these values call
  // nothing that leads back here.
  /// The state for a forwarding proxy; `nil` without one.
  @exclusivity(unchecked) var forwardProxy: ForwardProxy?
  @exclusivity(unchecked) var parser: ResponseParser
  /// The buffer for heads. It is reused once a head has been sent.
  @exclusivity(unchecked) var headBuffer = ByteBuffer()
  @exclusivity(unchecked) var receiveLowWaterMark = ReceiveLowWaterMark()
  /// The buffers into which the channel reads.
  var readBuffers = ReadBuffers.standard
  var sendProgress = SendProgress()
  var unsentLimit = UnsentLimit()
  @exclusivity(unchecked) var exchange: Exchange?
  @exclusivity(unchecked) var context: ChannelHandlerContext?
  /// The error about bytes that arrived before the first request (RFC 9112 §9.2).
  var setupError: MartletError?
  private var exchangeCount = 0
  /// Whether the connection has been idle. The server may have closed it during that time.
  private var wasIdle = false
  private var isReadPending = false
  private var lastError: (any Error)?

  init(
    id: ConnectionID, pool: ConnectionPool, info: ConnectionInfo,
    limits: HTTPTransportConfiguration.Limits, forwardProxy: ProxyAccess? = nil
  ) {
    self.id = id
    self.pool = pool
    self.info = info
    authority = pool.origin.authority
    self.forwardProxy = forwardProxy.map { ForwardProxy($0, authority: pool.origin.authority) }
    parser = ResponseParser(headLimit: limits.responseHeadSize)
  }

  var loop: any EventLoop { pool.loop }
  var channel: (any Channel)? { context?.channel }
  var isReused: Bool { exchangeCount > 1 }
  /// Whether the connection has carried a request.
  var hasServed: Bool { exchangeCount > 0 }

  // MARK: Called by the pool

  var capacity: ConnectionRecord.Capacity { .one }
  var isIdle: Bool { exchange == nil }
  var isSocketOpen: Bool { channel?.isSocketOpen ?? false }

  func start(_ exchange: Exchange) {
    loop.assertInEventLoop()
    exchangeCount += 1
    self.exchange = exchange
    parser.begin(exchange.request.method)
    exchange.start(on: self)
  }

  func becomeIdle() {
    wasIdle = true
  }

  func close() {
    context?.close(promise: nil)
  }

  func shutDown(abandoning: Bool) {
    loop.assertInEventLoop()
    guard let exchange else { return close() }
    if abandoning { exchange.end(.shutDown) }
  }

  // MARK: Called by the exchange

  func carries(_ exchange: Exchange) -> Bool { self.exchange === exchange }

  func isDelivered(_ mark: inout DeliveryMark) -> Bool {
    channel.map { mark.isReached(on: $0) } ?? true
  }

  func complete(_ exchange: Exchange) {
    guard carries(exchange) else { return }
    self.exchange = nil
    use(.standard)
    resumeReading()
    let isReusable =
      exchange.sending.isWhole && parser.isPersistent && !parser.hasSurplus
      && channel?.isActive == true && !exchange.request.requestsClose
    if isReusable { return pool.released(self) }
    pool.retire(self)
    pool.openWhatIsNeeded()
    close()
  }

  func abort(_ exchange: Exchange) {
    guard carries(exchange) else { return }
    self.exchange = nil
    context?.closeAtOnce()
  }

  func checkProgress(_ now: NIODeadline) {
    adjustMark(now)
    if sendProgress.isDue(now) { checkSendQueue() }
  }

  func checkSocket() {
    checkSendQueue()
    if let time = channel?.lastArrival { exchange?.clock.markArrived(time) }
  }

  private func checkSendQueue() {
    if let time = sendProgress.update(from: channel) { exchange?.clock.markDrained(time) }
  }

  // MARK: Channel events

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
    if context.channel.isWritable { exchange?.resumeUpload() }
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

  // MARK: Reading

  /// Holds a read back while the exchange is paused. The TCP window then stops the server.
  func read(context: ChannelHandlerContext) {
    if exchange?.isPaused == true {
      isReadPending = true
    } else {
      context.read()
    }
  }

  func setPaused(_ isPaused: Bool) {
    if !isPaused { resumeReading() }
  }

  /// Performs a read that was held back.
  private func resumeReading() {
    guard isReadPending else { return }
    isReadPending = false
    context?.read()
  }

  // MARK: The end of the connection

  func connectionEnded() {
    pool.closed(self)
    guard let exchange, !exchange.receiving.isWhole else { return }
    if isStale(exchange) {
      self.exchange = nil
      return exchange.retry()
    }
    do throws(MartletError) {
      // The end of a TLS connection without a closure alert does not prove that the body is complete (RFC 9112 §9.8).
      if let part = try parser.finish(), lastError == nil {
        try handle(part, exchange)
      } else if parser.framing == .untilClose, exchange.receiving.head != nil {
        throw .bodyTruncated(received: parser.bodyBytes, of: nil)
      } else {
        throw pool.connectionError(
          info, sent: exchange.sending.sent,
          isFresh: !isReused && !wasIdle && exchange.receiving.bytes == 0, underlying: lastError)
      }
    } catch {
      var error = error
      if error.underlying == nil { error.underlying = lastError }
      exchange.fail(error)
    }
  }

  /// Whether the request may be sent again on another connection, because the server closed this one after
  /// an earlier exchange, or while it was idle before its first.
  ///
  /// This requires that no byte of a response has arrived. In addition, the request must be idempotent (RFC 9110
  /// §9.2.2) with a body that can be sent again, or no byte of the request has been sent. If `willRetry` is set, the
  /// request is sent again in any case.
  private func isStale(_ exchange: Exchange) -> Bool {
    if exchange.receiving.willRetry { return true }
    guard wasIdle || isReused, exchange.receiving.bytes == 0 else { return false }
    if exchange.sending.bytes == 0 { return true }
    return exchange.request.method.isIdempotent && exchange.request.body.isReplayable
  }
}

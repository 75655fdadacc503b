import HTTPTypes
import MartletCore
import NIOCore
import NIOHTTP2

/// An HTTP/2 connection, which carries many exchanges at once, each on its own stream (RFC 9113).
///
/// A channel handler confined to its event loop, after the handler that turns bytes into frames. Frames are dispatched
/// to small objects, because a channel for each stream would cost more than the exchange. Sending, receiving, windows
/// and the end are in other files.
///
/// Unchecked because of that confinement: all its functions run on the loop, which debug builds assert.
final class HTTP2Connection: ChannelDuplexHandler, PooledConnection, DeadlineChecking,
  @unchecked Sendable
{
  typealias InboundIn = HTTP2Frame
  typealias OutboundIn = HTTP2Frame
  typealias OutboundOut = HTTP2Frame

  let id: ConnectionID
  let info: ConnectionInfo
  let pool: ConnectionPool
  let limits: HTTPTransportConfiguration.Limits
  let options: HTTPTransportConfiguration.HTTP2
  let lastFault = LastFault()
  let authority: String
  var context: ChannelHandlerContext?
  // The accesses to streams and windows are not checked at run time: only the event loop makes them, and the functions of these
  // values call nothing that leads back here.
  @exclusivity(unchecked) var streams: [Int32: HTTP2Stream] = [:]
  var numbers: StreamNumbers
  /// How many streams the peer allows. Until the peer states its limit, this is the recommended minimum (§6.5.2), which
  /// is also the limit of the framing handler.
  var allowedStreams = 100
  /// Whether the peer's settings have arrived.
  var hasSettings = false
  @exclusivity(unchecked) var sendWindows = SendWindows()
  var sendProgress = SendProgress()
  /// Whether the current read has enlarged the windows for sending.
  var haveWindowsGrown = false
  var budget: ReceiveBudget
  var receiveLowWaterMark = ReceiveLowWaterMark()
  var liveness: Liveness
  var tickerSlot: Int?
  /// Streams whose bodies wait for the connection's window or for the socket, in order.
  var blocked: [HTTP2Stream] = []
  /// The last stream whose HEADERS have been sent. The HEADERS of later streams wait in the framing handler.
  var lastBegun: Int32 = 0
  var lastError: (any Error)?
  /// The fields of the last head that arrived.
  var lastFields = HTTPFields()
  /// Whether the peer has sent a frame.
  var hasReceivedFrame = false
  var isReading = false
  /// Streams whose responses are delivered when all frames of the current read have been handled.
  var streamsWithDueResponses: [HTTP2Stream] = []
  /// When the current read began.
  var readAt = NIODeadline.now()
  var isFlushPending = false
  var isClosed = false
  var isClosing = false
  private(set) var exchangeCount = 0
  private(set) var setupError: MartletError?
  private var wasIdle = false

  init(id: ConnectionID, pool: ConnectionPool, info: ConnectionInfo) {
    self.id = id
    self.pool = pool
    self.info = info
    limits = pool.configuration.limits
    options = pool.configuration.http2
    authority = pool.origin.authority
    numbers = StreamNumbers(first: options.firstStream)
    budget = ReceiveBudget(options.connectionWindowSize, reserve: options.clampedStreamWindowSize)
    liveness = Liveness(
      pingInterval: TimeAmount(options.pingInterval), pingTimeout: TimeAmount(options.pingTimeout),
      idlePingInterval: options.idlePingInterval.map { TimeAmount($0) }, now: .now())
  }

  var loop: any EventLoop { pool.loop }
  var capacity: ConnectionRecord.Capacity {
    hasSettings ? .announced(allowedStreams) : .assumed(allowedStreams)
  }
  var isIdle: Bool { streams.isEmpty }
  var isSocketOpen: Bool { context?.channel.isSocketOpen ?? false }
  var isReused: Bool { exchangeCount > 1 }
  /// Whether the server may have closed the connection before it received the requests under way: the connection was
  /// idle once, or has carried more than one exchange.
  var mayBeStale: Bool { wasIdle || isReused }

  /// Adds the handlers to the pipeline. The framing handler then sends the preface and the engine's settings (§3.4).
  func join(_ pipeline: ChannelPipeline.SynchronousOperations) throws {
    try pipeline.addHandler(HTTP2Framing.handler(pool.configuration, delegate: self))
    try pipeline.addHandler(self)
    grow(0, by: budget.begin())
    // Sending the preface may have found the connection closed.
    if options.idlePingInterval != nil, !isClosed { pool.ticker.add(self) }
  }

  // MARK: Called by the pool and the exchange

  func start(_ exchange: Exchange) {
    loop.assertInEventLoop()
    guard let context, context.channel.isActive, let number = numbers.take() else {
      // The pool will try the next connection.
      retire()
      return exchange.retry()
    }
    exchangeCount += 1
    let window = ReceiveWindow(
      smallest: options.clampedStreamWindowSize, largest: options.maximumStreamWindowSize)
    if streams.isEmpty { liveness.beginAwaitingResponse(.now()) }
    let stream = HTTP2Stream(
      number, of: self, exchange: exchange, isReused: isReused, window: window)
    streams[number] = stream
    lowerMark()
    pool.ticker.add(self)
    if numbers.isExhausted { retire() }
    exchange.start(on: stream)
  }

  func becomeIdle() {
    wasIdle = true
    if options.idlePingInterval == nil { pool.ticker.remove(self) }
  }

  /// Records why the connection ends, if it has carried no exchange.
  func noteEnd(_ reason: @autoclosure () -> MartletError) {
    guard exchangeCount == 0, setupError == nil else { return }
    setupError = reason().safeToRetry
  }

  /// Delivers the responses of `streamsWithDueResponses`, after all frames that arrived with their heads have been
  /// handled.
  func deliverDueResponses() {
    for stream in streamsWithDueResponses { stream.exchange.deliverResponseIfDue() }
    streamsWithDueResponses = []
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

  func channelReadComplete(context: ChannelHandlerContext) {
    deliverDueResponses()
    grow(0, by: budget.refill())
    if haveWindowsGrown {
      haveWindowsGrown = false
      sendBlocked()
    }
    isReading = false
    flush()
    context.fireChannelReadComplete()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { sendBlocked() }
    context.fireChannelWritabilityChanged()
  }

  /// Handles changes of the connection's window. For every stream there are several other events, and comparing the
  /// type is cheaper than a cast. No event is passed on, because the pipeline ends here.
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if type(of: event) == NIOHTTP2WindowUpdatedEvent.self,
      let event = event as? NIOHTTP2WindowUpdatedEvent, event.streamID == .rootStream,
      let left = event.inboundWindowSize
    {
      // Several of these events may be pending, and only the last one is up to date.
      budget.changed(to: left)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    caught(error)
  }

  func channelInactive(context: ChannelHandlerContext) {
    connectionEnded()
    context.fireChannelInactive()
  }
}

import HTTPTypes
import MartletCore
import NIOCore

/// An HTTP/2 connection, which carries many exchanges at once, each on its own stream (RFC 9113).
///
/// A channel handler confined to its event loop, the last of its pipeline. Values turn bytes into frames and back. Frames are
/// dispatched to small objects, because a channel for each stream would cost more than the exchange. Sending, receiving and the
/// end are in other files.
///
/// Unchecked because of that confinement: all its functions run on the loop, which debug builds assert.
final class HTTP2Connection: ChannelInboundHandler, PooledConnection, DeadlineChecking,
  @unchecked Sendable
{
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  let id: ConnectionID
  let info: ConnectionInfo
  let pool: ConnectionPool
  let limits: HTTPTransportConfiguration.Limits
  let options: HTTPTransportConfiguration.HTTP2
  let authority: String
  var context: ChannelHandlerContext?
  // The accesses to these values are not checked at run time: only the event loop makes them, and during an access nothing leads back
  // here. The functions of the values call no connection, closures that they are given only read streams, and `sendProgress` only
  // asks the socket.
  @exclusivity(unchecked) private(set) var decoder: FrameDecoder
  @exclusivity(unchecked) var encoder = FrameEncoder()
  @exclusivity(unchecked) var floodGuard = FloodGuard()
  @exclusivity(unchecked) var streams: [Int32: HTTP2Stream] = [:]
  var numbers: StreamNumbers
  /// How many streams the peer allows. Until the peer states its limit, this is the recommended minimum (§6.5.2).
  var allowedStreams = 100
  /// Whether the peer's settings have arrived.
  var hasSettings = false
  @exclusivity(unchecked) var sendWindows = SendWindows()
  @exclusivity(unchecked) var sendProgress = SendProgress()
  var unsentLimit = UnsentLimit()
  /// Whether the current read has enlarged the windows for sending.
  var haveWindowsGrown = false
  @exclusivity(unchecked) var lateFrames = LateFrames()
  @exclusivity(unchecked) var budget: ReceiveBudget
  var receiveLowWaterMark = ReceiveLowWaterMark()
  var liveness: Liveness
  var tickerSlot: Int?
  /// Requests whose HEADERS wait for the socket, in order.
  var unbegun: [(HTTP2Stream, Request, small: ByteBuffer?)] = []
  /// Streams whose bodies wait for the connection's window or for the socket, in order.
  @exclusivity(unchecked) var blocked: [HTTP2Stream] = []
  var lastError: (any Error)?
  /// The fields of the last head that arrived.
  var lastFields = HTTPFields()
  var isReading = false
  /// Streams whose responses are delivered when all frames of the current read have been handled.
  var streamsWithDueResponses: [HTTP2Stream] = []
  /// When the current read began.
  var readAt: NIODeadline
  var isFlushPending = false
  /// Streams whose exchanges note, after the next flush, what has to be acknowledged.
  var streamsToNote: [HTTP2Stream] = []
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
    decoder = FrameDecoder(headLimit: Self.headLimit(limits))
    readAt = pool.now
    budget = ReceiveBudget(options.connectionWindowSize, reserve: options.clampedStreamWindowSize)
    liveness = Liveness(
      pingInterval: TimeAmount(options.pingInterval), pingTimeout: TimeAmount(options.pingTimeout),
      idlePingInterval: options.idlePingInterval.map { TimeAmount($0) }, now: readAt)
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

  /// A head over the limit ends its own stream. Only a head over twice the limit ends the connection.
  private static func headLimit(_ limits: HTTPTransportConfiguration.Limits) -> Int {
    min(max(limits.responseHeadSize, 0), 1 << 30) * 2
  }

  /// Joins a pipeline as its last handler, and sends the preface with the engine's settings (§3.4).
  func join(_ pipeline: ChannelPipeline.SynchronousOperations) throws {
    try pipeline.addHandler(self)
    encoder.begin([
      (.enablePush, 0), (.initialWindowSize, options.clampedStreamWindowSize),
      (.maxHeaderListSize, Self.headLimit(limits)),
    ])
    flushSoon()
    grow(0, by: budget.begin())
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
    if streams.isEmpty { liveness.beginAwaitingResponse(pool.now) }
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
    isReading = true
    // Of each read: a turn of the loop that handles many responses takes milliseconds.
    readAt = pool.now
    liveness.received(readAt)
    var bytes = unwrapInboundIn(data)
    do throws(HTTP2Fault) {
      while !isClosing, let frame = try decoder.next(from: &bytes) { try receive(frame) }
      // A part of a head is a sign of life, too.
      if let number = decoder.incompleteStream {
        streams[number]?.exchange.clock.markReceived(readAt)
      }
    } catch {
      fail(error)
    }
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
    if context.channel.isWritable {
      sendUnbegun()
      sendBlocked()
    }
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
}

import MartletCore
import NIOCore

/// One request and its response on their way through the engine, from the caller's `send` to the last byte.
///
/// Its rules are here and in the files beside, whatever protocol is spoken: events, where the body goes, time-outs, and
/// how it ends. An `ExchangeCodec` puts it on the wire.
///
/// Unchecked because it is confined to its pool's event loop, which debug builds assert: it is made by the caller,
/// handed to the loop once, and from then on touched only there.
final class Exchange: @unchecked Sendable, DeadlineChecking {
  /// The continuation that waits for the response.
  ///
  /// Unsafe because a checked one costs an allocation and a lock for each request: `resumeCaller(with:)` sees to it
  /// that it is resumed once. An exchange that the engine has lost fails: the ticker finds it, or at the latest its
  /// end.
  typealias Caller = UnsafeContinuation<Response, any Error>

  /// Where an exchange stands.
  enum Stage {
    /// Suspended by its call, or waiting for a connection.
    case waiting
    /// Under way on a connection.
    case running(any ExchangeCodec)
    /// Over: nothing more happens.
    case over
  }

  let request: Request
  let origin: Origin
  let timeouts: Timeouts
  let pool: ConnectionPool
  /// Names the exchange in its pool's line.
  var id: ExchangeID = 0
  var tickerSlot: Int?
  var clock = ExchangeClock()
  private(set) var stage = Stage.waiting
  /// How far the request has come, on the present connection.
  var sending = Sending()
  /// How far the response has come, on the present connection.
  var receiving = Receiving()
  /// Whether the call is suspended.
  var isSuspended = false
  /// When the whole call must be over, the redirects before this exchange included.
  let deadline: NIODeadline?
  private var caller: Caller?
  /// Whether the end has been reported, while the rest of the body is discarded.
  private var isEndReported = false
  private(set) var retryCount = 0
  /// Whether a forwarding proxy has required authentication.
  var wasChallengedByProxy = false
  /// Whether the server has said that it does not support `Expect` (RFC 9110 §10.1.1).
  var isExpectationRefused = false

  init(_ request: Request, origin: Origin, timeouts: Timeouts, pool: ConnectionPool) {
    self.request = request
    self.origin = origin
    self.timeouts = timeouts
    self.pool = pool
    let begin = clock.begin
    deadline = timeouts.total.map {
      (request.call?.recordStart(at: begin) ?? begin) + TimeAmount($0)
    }
  }

  deinit {
    guard let caller else { return }
    assert(Self.note("An exchange with \(origin) has ended without an answer."))
    caller.resume(throwing: MartletError.requestLost(origin))
  }

  /// What puts the exchange on the wire now.
  var codec: (any ExchangeCodec)? {
    if case .running(let codec) = stage { codec } else { nil }
  }

  func isRunning(on codec: any ExchangeCodec) -> Bool { self.codec === codec }

  /// Whether receiving is stopped for now.
  var isPaused: Bool { isSuspended || receiving.isSinkFull }

  // MARK: The way to a connection

  /// Begins. `caller` is resumed with the response or the error.
  func begin(_ caller: Caller) {
    pool.loop.assertInEventLoop()
    guard case .waiting = stage else {
      caller.resume(throwing: MartletError.cancelled)
      return
    }
    self.caller = caller
    pool.ticker.add(self)
    request.call?.report(.attemptStarted(request))
    switch request.call?.attach(ExchangeControl(self), of: self) ?? .proceed {
    case .proceed: pool.submit(self)
    case .suspended:
      isSuspended = true
      pool.addSuspended(self)
    case .cancelled: fail(.cancelled)
    }
  }

  /// Sends the request over the connection that it has got.
  func start(on codec: any ExchangeCodec) {
    pool.loop.assertInEventLoop()
    stage = .running(codec)
    isSuspended = false
    clock.markConnected()
    send(over: codec)
  }

  /// How often a request goes out again before it is taken for one that no connection accepts.
  private static let retryLimit = 3

  /// Whether the request can be sent once more.
  var canRetry: Bool { retryCount < Self.retryLimit && request.body.isReplayable }

  /// Back to the line: the request goes out again, after a stale connection, a refusal, a proxy's challenge or a 417.
  func retry() {
    pool.loop.assertInEventLoop()
    sending.upload?.cancel()
    (sending, receiving) = (Sending(), Receiving())
    retryCount += 1
    request.call?.report(.retrying)
    stage = .waiting
    clock.markWaiting()
    isSuspended = request.call?.isSuspended ?? false
    if isSuspended { pool.addSuspended(self) } else { pool.submit(self) }
  }

  // MARK: What the call asks

  /// Ends the exchange because the caller's task was cancelled, or the rest of the response will not be read.
  func cancel() {
    end(.cancelled)
  }

  /// Suspends or resumes as the call says now, which may differ from when the message was sent.
  fileprivate func followSuspension() {
    pool.loop.assertInEventLoop()
    let isSuspended = request.call?.isSuspended ?? false
    guard isSuspended != self.isSuspended, !isEndReported else { return }
    switch stage {
    case .over: return
    case .running(let codec):
      self.isSuspended = isSuspended
      pauseChanged(codec)
      holdUpload(codec)
    case .waiting:
      self.isSuspended = isSuspended
      clock.markWaiting()
      if isSuspended { pool.addSuspended(self) } else { pool.submit(self) }
    }
  }

  // MARK: The end

  /// What the exchange took so far.
  func metrics(_ codec: any ExchangeCodec) -> ExchangeMetrics {
    clock.metrics(
      now: .now(), connection: codec.info, isReused: codec.isReused, bytesSent: sending.bytes,
      bytesReceived: receiving.bytes)
  }

  /// Answers the caller. The exchange goes on when the body is still to come.
  func deliverResponse(_ response: Response) {
    resumeCaller(with: .success(response))
  }

  private func resumeCaller(with result: Result<Response, MartletError>) {
    pool.loop.assertInEventLoop()
    guard let caller else { return }
    self.caller = nil
    pool.results.add(result, for: caller)
  }

  /// The exchange is complete.
  func finish(_ metrics: ExchangeMetrics) {
    markOver()
    if !isEndReported { request.call?.report(.attemptFinished(metrics)) }
  }

  /// Reports the end, while the rest of the body is discarded to keep the connection.
  func reportEnd(_ metrics: ExchangeMetrics) {
    guard !isEndReported else { return }
    isEndReported = true
    request.call?.detach(self)
    request.call?.report(.attemptFinished(metrics))
  }

  /// Ends the exchange with an error. If the rest of the response is not needed, ends it early and well instead: that of a
  /// discarded body is not, unless it is that of a success.
  func fail(_ error: MartletError) {
    guard case .running(let codec) = stage else { return end(error) }
    if receiving.canSkipBody { return endEarly(codec) }
    var error = error
    if sending.bytes == 0 { error.isSafeToRetry = true }
    end(error)
  }

  /// Ends the exchange with an error, and whatever it holds with it.
  func end(_ error: MartletError) {
    pool.loop.assertInEventLoop()
    var error = error
    error.request = request.withoutInterceptorState
    // Completes when the failure of a body that goes into a file may be reported.
    var release: EventLoopFuture<Void>?
    switch stage {
    case .over: return
    case .waiting: pool.remove(self)
    case .running(let codec):
      if error.response == nil, let head = receiving.head { error.response = head }
      sending.upload?.cancel()
      release = dropBody(error)
      codec.abort(self)
    }
    markOver()
    guard let release else { return report(error) }
    release.assumeIsolated().whenComplete { [error] _ in self.report(error) }
  }

  private func report(_ error: MartletError) {
    if !isEndReported { request.call?.report(.attemptFailed(error)) }
    resumeCaller(with: .failure(error))
  }

  private func markOver() {
    pool.loop.assertInEventLoop()
    stage = .over
    pool.ticker.remove(self)
    request.call?.detach(self)
    // These refer to the exchange.
    receiving.sink = nil
    receiving.undecided = UndecidedBody()
  }
}

/// Lets a call, on any thread, reach its exchange on the loop.
private struct ExchangeControl: CallControl {
  private let exchange: Exchange

  init(_ exchange: Exchange) {
    self.exchange = exchange
  }

  func suspend() {
    exchange.pool.loop.execute { exchange.followSuspension() }
  }

  func resume() {
    exchange.pool.loop.execute { exchange.followSuspension() }
  }

  func cancel() {
    exchange.pool.loop.execute { exchange.cancel() }
  }
}

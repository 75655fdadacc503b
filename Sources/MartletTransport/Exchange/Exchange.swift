import MartletCore
import NIOCore
import Synchronization

/// One request and its response on their way through the engine, from the caller's `send` to the last byte.
///
/// This type and its extensions hold the rules that are the same for every protocol: events, the destination of the
/// body, time-outs and the end. An `ExchangeCodec` does the framing and parsing.
///
/// Unchecked because it is confined to its pool's event loop, which debug builds assert. The caller creates it and
/// passes it to the loop once. From then on it is used only there, until the loop passes it on while it waits: the loop
/// stops using it, changes `part`, and executes `arrive()` on the other loop. A thread that reads `part` afterwards uses
/// the other loop, and may do so before the exchange arrives.
final class Exchange: @unchecked Sendable, DeadlineChecking {
  /// The continuation that waits for the response.
  ///
  /// Unsafe because a checked one costs an allocation and a lock for each request. `resumeCaller(with:)` resumes it
  /// only once. An exchange that the engine has lost fails when the ticker finds it, or at the latest when it is
  /// deallocated.
  typealias Caller = UnsafeContinuation<Response, any Error>

  /// The stage of an exchange.
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
  let pools: OriginPools
  /// The part of the pool that has the exchange.
  @exclusivity(unchecked) var pool: ConnectionPool
  /// The number of the part, for other threads.
  let part: Atomic<Int>
  /// The part of the caller's event loop; `nil` if the caller runs elsewhere.
  let ownPart: Int?
  /// Whether the part counts the exchange.
  @exclusivity(unchecked) var isCounted: Bool
  /// Identifies the exchange in its pool's queue.
  var id: ExchangeID = 0
  var tickerSlot: Int?
  // The accesses to clock, sending and receiving are not checked at run time: only the event loop makes them, and the functions
  // of these values call nothing that leads back here.
  @exclusivity(unchecked) var clock: ExchangeClock
  private(set) var stage = Stage.waiting
  /// The progress of the request on the current connection.
  @exclusivity(unchecked) var sending = Sending()
  /// The progress of the response on the current connection.
  @exclusivity(unchecked) var receiving = Receiving()
  /// Whether the call is suspended.
  var isSuspended = false
  /// When the whole call must be over, including redirects before this exchange.
  let deadline: NIODeadline?
  private var caller: Caller?
  /// Whether it has been reported that the request waits for a connection of others.
  private var isQueuedReported = false
  /// Whether the end has been reported, although the rest of the body is still being discarded.
  private var isEndReported = false
  private(set) var retryCount = 0
  /// Whether a forwarding proxy has required authentication.
  var wasChallengedByProxy = false
  /// Whether the server has rejected `Expect` (RFC 9110 §10.1.1).
  var isExpectationRefused = false

  /// Creates an exchange, and chooses the part of the pool that has it first.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - origin: Its origin.
  ///   - timeouts: Its time-outs.
  ///   - pools: The pools of the origin.
  ///   - ownPart: The part of the caller's event loop. The default is `nil`: the caller runs elsewhere.
  init(
    _ request: Request, origin: Origin, timeouts: Timeouts, pools: OriginPools, ownPart: Int? = nil
  ) {
    self.request = request
    self.origin = origin
    self.timeouts = timeouts
    self.pools = pools
    self.ownPart = ownPart
    let first = pools.route(own: ownPart)
    part = Atomic(first)
    pool = pools[first]
    isCounted = pools.parts.isSplit
    let begin = pools[first].now
    clock = ExchangeClock(begin: begin)
    deadline = timeouts.total.map {
      (request.call?.recordStart(at: begin) ?? begin) + TimeAmount($0)
    }
  }

  deinit {
    guard let caller else { return }
    assert(Self.logToStandardError("An exchange with \(origin) has ended without an answer."))
    caller.resume(throwing: MartletError.requestLost(origin))
  }

  /// The current time of the event loop.
  var now: NIODeadline { pool.now }

  /// The priority of the request in the pool's queue.
  var priority: Request.Priority { request.call?.priority ?? .medium }

  /// The codec that carries the exchange now.
  var codec: (any ExchangeCodec)? {
    if case .running(let codec) = stage { codec } else { nil }
  }

  func isRunning(on codec: any ExchangeCodec) -> Bool { self.codec === codec }

  /// Whether receiving is stopped for now.
  var isPaused: Bool { isSuspended || receiving.isSinkFull }

  // MARK: Waiting for a connection

  /// Starts the exchange. `caller` is resumed with the response or the error; without a caller, the response is dropped.
  func begin(_ caller: Caller?) {
    pool.loop.assertInEventLoop()
    guard case .waiting = stage else {
      caller?.resume(throwing: MartletError.cancelled)
      return
    }
    self.caller = caller
    let pool = pool
    pool.ticker.add(self)
    request.call?.beginAttempt(request)
    switch request.call?.attach(ExchangeControl(self), of: self) ?? .proceed {
    case .proceed: pool.submit(self)
    case .suspended:
      isSuspended = true
      pool.addSuspended(self)
    case .cancelled: fail(.cancelled)
    }
  }

  /// Reports that the request waits for a connection of others, once until it is suspended or retried.
  func reportQueued() {
    guard !isQueuedReported else { return }
    isQueuedReported = true
    request.call?.report(.queued)
  }

  /// Sends the request over the connection that the pool has assigned.
  func start(on codec: any ExchangeCodec) {
    pool.loop.assertInEventLoop()
    stage = .running(codec)
    isSuspended = false
    clock.markConnected(now)
    send(over: codec)
  }

  /// From this number of retries on, `canRetry` is false. Retries after a stale HTTP/1.1 connection or a 417 do not
  /// depend on it.
  private static let retryLimit = 3

  /// Whether the request can be sent once more.
  var canRetry: Bool { retryCount < Self.retryLimit && request.body.isReplayable }

  /// Puts the request back into the pool's queue, to be sent again after a stale connection, a refused stream, a
  /// GOAWAY, a proxy's challenge or a 417.
  func retry() {
    pool.loop.assertInEventLoop()
    sending.upload?.cancel()
    (sending, receiving) = (Sending(), Receiving())
    retryCount += 1
    isQueuedReported = false
    request.call?.report(.retrying)
    stage = .waiting
    clock.markWaiting(now)
    isSuspended = request.call?.isSuspended ?? false
    if isSuspended { pool.addSuspended(self) } else { pool.submit(self) }
  }

  // MARK: Control by the call

  /// Ends the exchange because the call or the caller's task was cancelled, or the rest of the response will not be
  /// read.
  func cancel() {
    end(.cancelled)
  }

  /// Suspends or resumes the exchange to match the current state of the call. The state may have changed again since
  /// the control was called.
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
      isQueuedReported = false
      clock.markWaiting(now)
      if isSuspended { pool.addSuspended(self) } else { pool.submit(self) }
    }
  }

  // MARK: Parts of the pool

  /// Calls `work` on the event loop that has the exchange, from any thread.
  func onLoop(_ work: @escaping @Sendable (Exchange) -> Void) {
    let part = part.load(ordering: .acquiring)
    pools[part].loop.execute {
      // It may have moved meanwhile.
      guard self.part.load(ordering: .acquiring) == part else { return self.onLoop(work) }
      work(self)
    }
  }

  /// Passes the exchange, which waits no longer in its part, to another part. This loop must not use it any more.
  func move(to other: ConnectionPool) {
    pool.loop.assertInEventLoop()
    // It has no number there yet.
    id = 0
    pool = other
    part.store(other.part, ordering: .releasing)
  }

  /// Waits in the part that the exchange was passed to, unless the call was cancelled or suspended meanwhile.
  func arrive() {
    pool.loop.assertInEventLoop()
    if case .over = stage { return }
    pool.ticker.add(self)
    guard case .waiting = stage, !isSuspended, !pool.contains(self) else { return }
    pool.submit(self, isFirst: true)
  }

  /// Counts the exchange in its part, if the pool has several.
  func enterPart() {
    guard pools.parts.isSplit, !isCounted else { return }
    isCounted = true
    pools.parts.add(to: pool.part)
  }

  /// Ends the count of the exchange in its part; returns whether it was counted.
  @discardableResult
  func leavePart() -> Bool {
    guard isCounted else { return false }
    isCounted = false
    pools.parts.remove(from: pool.part)
    return true
  }

  // MARK: The end

  /// Returns the metrics of the exchange so far.
  func metrics(_ codec: any ExchangeCodec) -> ExchangeMetrics {
    var metrics = clock.metrics(
      now: now, connection: codec.info, isReused: codec.isReused, bytesSent: sending.bytes,
      bytesReceived: receiving.bytes)
    metrics.bodyBytesReceived = receiving.bodyBytes
    return metrics
  }

  /// Delivers the response to the caller. The exchange continues if the rest of the body has not arrived yet.
  func deliverResponse(_ response: Response) {
    resumeCaller(with: .success(response))
  }

  private func resumeCaller(with result: Result<Response, MartletError>) {
    pool.loop.assertInEventLoop()
    guard let caller else { return }
    self.caller = nil
    pool.results.add(result, for: caller)
  }

  /// Ends the exchange without an error.
  func finish(_ metrics: ExchangeMetrics) {
    markOver()
    if !isEndReported { request.call?.finishAttempt(metrics) }
  }

  /// Reports the end while the rest of the body is discarded, so that the connection can be reused.
  func reportEnd(_ metrics: ExchangeMetrics) {
    guard !isEndReported else { return }
    isEndReported = true
    request.call?.detach(self)
    request.call?.finishAttempt(metrics)
  }

  /// Ends the exchange with an error. If the response is not a success and its body is discarded, the rest is not
  /// needed, and the exchange ends early without an error.
  func fail(_ error: MartletError) {
    guard case .running(let codec) = stage else { return end(error) }
    if receiving.canEndWithoutBody { return endEarly(codec) }
    var error = error
    if sending.bytes == 0 { error.isSafeToRetry = true }
    end(error)
  }

  /// Ends the exchange with an error, and releases everything that it holds.
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
      leavePart()
      codec.abort(self)
    }
    markOver()
    guard let release else { return report(error) }
    release.assumeIsolated().whenComplete { [error] _ in self.report(error) }
  }

  private func report(_ error: MartletError) {
    if !isEndReported { request.call?.failAttempt(error) }
    resumeCaller(with: .failure(error))
  }

  private func markOver() {
    pool.loop.assertInEventLoop()
    stage = .over
    let pool = pool
    if leavePart() { pool.partWasLeft() }
    pool.ticker.remove(self)
    request.call?.detach(self)
    // These hold references to the exchange.
    receiving.sink = nil
    receiving.undecided = UndecidedBody()
  }
}

/// Controls an exchange from any thread, by calls on its event loop.
private struct ExchangeControl: CallControl {
  private let exchange: Exchange

  init(_ exchange: Exchange) {
    self.exchange = exchange
  }

  func suspend() {
    exchange.onLoop { $0.followSuspension() }
  }

  func resume() {
    exchange.onLoop { $0.followSuspension() }
  }

  func cancel() {
    exchange.onLoop { $0.cancel() }
  }
}

import MartletCore
import NIOCore

/// One request on its way through the engine, from the caller's `send` to the last byte.
///
/// Unchecked because it is confined to its pool's event loop, which debug builds assert: it is made by the caller,
/// handed to the loop once, and from then on touched only there.
final class Call: @unchecked Sendable, Deadlined {
  /// Who waits for the response.
  ///
  /// Unsafe because a checked one costs an allocation and a lock for each request: `tell(_:)` sees to it that it
  /// is resumed once. A call that the engine has lost fails: the ticker finds it, or at the latest its end.
  typealias Caller = UnsafeContinuation<Response, any Error>

  /// Where a call stands.
  enum Stage {
    /// Held back by its exchange handle, or waiting for a connection.
    case waiting
    /// Under way on a connection.
    case running(any PooledConnection)
    /// Over: nothing more happens.
    case over
  }

  let request: Request
  let origin: Origin
  let timeouts: Timeouts
  let pool: ConnectionPool
  /// Names the call in its pool's line.
  var id: CallID = 0
  /// Names the call on its connection, where that carries several.
  var ticket: Int32 = 0
  var tickerSlot: Int?
  var clock = CallClock()
  private(set) var stage = Stage.waiting
  /// When the whole exchange must be over, the redirects before this call included.
  private let deadline: NIODeadline?
  private var caller: Caller?
  /// When a byte last went out or came in.
  private(set) var lastActivity: NIODeadline
  /// When the socket last took bytes of the request's body.
  private(set) var lastWrite: NIODeadline?
  /// The earliest time from which on the first byte is waited for.
  private var answerAwaited: NIODeadline
  private var waitingSince: NIODeadline
  private var isPaused = false
  private var isReceived = false
  /// Whether the end has been told, so that nothing more is.
  private var isUnheard = false
  private(set) var rewinds = 0
  /// Completes when the failure of a body that goes into a file may be heard of.
  private var release: EventLoopFuture<Void>?
  /// Whether a proxy that passes requests on has wanted to know who asks.
  var wasAskedByProxy = false
  /// Whether the server has said that it does not support `Expect` (RFC 9110 §10.1.1).
  var isExpectationRefused = false

  init(_ request: Request, origin: Origin, timeouts: Timeouts, pool: ConnectionPool) {
    self.request = request
    self.origin = origin
    self.timeouts = timeouts
    self.pool = pool
    let begin = clock.begin
    deadline = timeouts.total.map {
      (request.exchange?.start(noting: begin) ?? begin) + TimeAmount($0)
    }
    lastActivity = begin
    answerAwaited = begin
    waitingSince = begin
  }

  deinit {
    guard let caller else { return }
    assert(Self.note("A call to \(origin) has ended without an answer."))
    caller.resume(throwing: MartletError.unanswered(origin))
  }

  // MARK: The caller's side

  /// Begins for `caller`, who is told how it ends.
  func begin(_ caller: Caller) {
    pool.loop.assertInEventLoop()
    guard case .waiting = stage else {
      caller.resume(throwing: MartletError.cancelled)
      return
    }
    self.caller = caller
    pool.ticker.join(self)
    request.exchange?.report(.attempting(request))
    switch request.exchange?.attach(CallControl(self), of: self) ?? .go {
    case .go: pool.submit(self)
    case .hold:
      isPaused = true
      pool.hold(self)
    case .stop: end(.cancelled)
    }
  }

  /// The caller's task was cancelled, or nobody will read the rest of the response.
  func cancel() {
    end(.cancelled)
  }

  /// Ends the call with an error, and whatever it holds with it.
  func end(_ error: MartletError) {
    pool.loop.assertInEventLoop()
    var error = error
    switch stage {
    case .over: return
    case .waiting: pool.forget(self)
    case .running(let connection):
      if let head = connection.abort(self, error) { error.response = head }
    }
    fail(error)
  }

  /// Does what the handle says now, not what it said when the message set out.
  fileprivate func followSuspension() {
    pool.loop.assertInEventLoop()
    let suspended = request.exchange?.isSuspended ?? false
    switch stage {
    case .over: return
    case .running(let connection): connection.setSuspended(suspended, self)
    case .waiting:
      guard isPaused != suspended else { return }
      isPaused = suspended
      waitingSince = .now()
      if suspended { pool.hold(self) } else { pool.submit(self) }
    }
  }

  // MARK: The connection's side

  /// The request as it goes out now.
  var outgoing: Request {
    guard isExpectationRefused else { return request }
    var request = request
    request.options.expectsContinue = false
    return request
  }

  func start(on connection: any PooledConnection) {
    pool.loop.assertInEventLoop()
    stage = .running(connection)
    isPaused = false
    noteActivity()
    clock.markConnected(lastActivity)
  }

  /// How often a request goes out again before it is taken for one that no connection accepts.
  private static let rewindLimit = 3

  /// Whether the request can be sent once more.
  var mayRewind: Bool { rewinds < Self.rewindLimit && request.body.isReplayable }

  /// Back to the line: the request was not processed on the connection that it was given.
  func rewind() {
    pool.loop.assertInEventLoop()
    rewinds += 1
    request.exchange?.report(.repeating)
    stage = .waiting
    waitingSince = .now()
    isPaused = request.exchange?.isSuspended ?? false
    if isPaused { pool.hold(self) } else { pool.submit(self) }
  }

  /// Answers the caller. The call goes on when the body is still to come.
  func answer(_ response: Response) {
    tell(.success(response))
  }

  private func tell(_ result: Result<Response, MartletError>) {
    pool.loop.assertInEventLoop()
    guard let caller else { return }
    self.caller = nil
    pool.answers.add(result, for: caller)
  }

  /// The exchange is complete.
  func finish(_ metrics: Metrics) {
    leave()
    if !isUnheard { request.exchange?.report(.finished(metrics)) }
  }

  /// The exchange is complete as far as anybody cares; what is left of it serves the connection alone.
  func finishUnheard(_ metrics: Metrics) {
    guard !isUnheard else { return }
    isUnheard = true
    request.exchange?.detach(self)
    request.exchange?.report(.finished(metrics))
  }

  /// The call is about to fail: nobody hears of it before `release` completes.
  func holdBack(until release: EventLoopFuture<Void>) {
    self.release = release
  }

  /// The exchange has failed.
  func fail(_ error: MartletError) {
    if case .over = stage { return }
    leave()
    var error = error
    error.request = request.asAsked
    guard let release else { return report(error) }
    release.assumeIsolated().whenComplete { [error] _ in self.report(error) }
  }

  private func report(_ error: MartletError) {
    if !isUnheard { request.exchange?.report(.failed(error)) }
    tell(.failure(error))
  }

  private func leave() {
    pool.loop.assertInEventLoop()
    stage = .over
    pool.ticker.leave(self)
    request.exchange?.detach(self)
  }

  // MARK: Time

  /// A byte went out or came in.
  func noteActivity(_ now: NIODeadline = .now()) {
    lastActivity = now
  }

  /// The socket has taken bytes of the request's body.
  func noteWritten(_ now: NIODeadline) {
    noteActivity(now)
    lastWrite = now
  }

  /// Bytes of the request have left the system, which may be long after it took them.
  func noteLeft(_ now: NIODeadline) {
    noteActivity(now)
    answerAwaited = now
  }

  /// While the exchange is paused, the idle time-out does not run.
  func setPaused(_ paused: Bool) {
    isPaused = paused
    noteActivity()
    answerAwaited = lastActivity
  }

  /// The last byte is in, and a file is being finished: how long that takes is not the server's doing.
  func noteReceived() {
    isReceived = true
  }

  func checkDeadlines(_ now: NIODeadline) {
    guard !isLost else { return failAsLost() }
    if case .running(let connection) = stage { connection.checkDeadlines(self, now) }
    if let error = expiry(now) { end(error) }
  }

  private func expiry(_ now: NIODeadline) -> MartletError? {
    if let total = timeouts.total, let deadline, deadline <= now {
      return .totalTimeOut(phase, after: total, origin: origin)
    }
    if let error = connectExpiry(now) { return error }
    guard case .running(let connection) = stage, !isPaused, !isReceived else { return nil }
    if let limit = timeouts.firstByte, let sent = clock.sentAt, !clock.hasFirstByte,
      max(sent, answerAwaited) + TimeAmount(limit) <= now
    {
      return .timedOut(.wait, after: limit, origin: origin, through: connection.info.proxy)
    }
    if let idle = timeouts.idle, lastActivity + TimeAmount(idle) <= now {
      return .timedOut(
        phase ?? .receive, after: idle, origin: origin, through: connection.info.proxy)
    }
    return nil
  }

  /// While another call's connection is waited for, that call's time-outs are not this one's; and while the
  /// server allows nothing, none but these bound the wait.
  private func connectExpiry(_ now: NIODeadline) -> MartletError? {
    guard case .waiting = stage, !isPaused, let connect = timeouts.connect else { return nil }
    let patience = pool.connector.patience(connect: connect, tls: timeouts.tls)
    if let began = pool.waitForAnothers(self), isOver(patience, since: began, now) {
      return .timedOut(.connect, after: connect, origin: origin)
    }
    if let began = pool.waitForLeave(self), isOver(patience, since: began, now) {
      return .notAllowed(origin, after: patience)
    }
    return nil
  }

  private func isOver(_ patience: Duration, since began: NIODeadline, _ now: NIODeadline) -> Bool {
    max(waitingSince, began) + TimeAmount(patience) <= now
  }

  private var phase: MartletError.Phase? {
    guard case .running = stage else { return .connect }
    if clock.hasFirstByte { return .receive }
    return clock.sentAt == nil ? .send : .wait
  }
}

/// Lets an exchange handle, on any thread, reach its call on the loop.
private struct CallControl: ExchangeControl {
  private let call: Call

  init(_ call: Call) {
    self.call = call
  }

  func suspend() {
    call.pool.loop.execute { call.followSuspension() }
  }

  func resume() {
    call.pool.loop.execute { call.followSuspension() }
  }

  func cancel() {
    call.pool.loop.execute { call.cancel() }
  }
}

import MartletCore
import NIOCore

/// How streams and the connection end, and whether their requests are sent again.
extension HTTP2Connection {
  // MARK: Streams

  /// Removes a stream that is over, so that its place is free for the next exchange.
  func remove(_ stream: HTTP2Stream) {
    stream.isOpen = false
    guard streams.removeValue(forKey: stream.number) != nil else { return }
    if !stream.hasBegun {
      unbegun.removeAll { $0.0 === stream }
    } else if !stream.isEnded {
      lateFrames.allow(window: stream.window.remaining, headLimit: limits.responseHeadSize)
    }
    lowerMark()
    giveBackUnread(of: stream)
    sendWindows.close(stream.number)
    blocked.removeAll { $0 === stream }
    if !isClosed { pool.released(self) }
  }

  /// Ends a stream on which the peer breaks the rules of HTTP/2 (§5.4.2).
  func fail(_ stream: HTTP2Stream, _ code: HTTP2ErrorCode) {
    reset(stream, code)
    stream.exchange.fail(.streamBroken(pool.origin, code: code.name, underlying: nil))
  }

  /// Handles a stream that the peer has reset (§6.4).
  func wasReset(_ stream: HTTP2Stream, _ code: HTTP2ErrorCode) {
    stream.isReset = true
    stream.isEnded = true
    apply(
      retryPolicy(of: stream).reset(with: code), to: stream,
      .streamReset(pool.origin, code: code.name, phase: phase(of: stream)))
  }

  private func retryPolicy(of stream: HTTP2Stream) -> StreamRetryPolicy {
    StreamRetryPolicy(
      number: stream.number, hasBegun: stream.hasBegun,
      hasResponseBytes: stream.exchange.receiving.bytes > 0,
      hasHead: stream.exchange.receiving.head != nil,
      isReceived: stream.exchange.receiving.isWhole,
      isIdempotent: stream.exchange.request.method.isIdempotent,
      canRetry: stream.exchange.canRetry, isFirst: stream.exchange.retryCount == 0)
  }

  /// Applies the decision about a stream. `error` is the error with which its exchange fails, if it does.
  private func apply(
    _ outcome: StreamRetryPolicy.Outcome, to stream: HTTP2Stream,
    _ error: @autoclosure () -> MartletError
  ) {
    if case .continues = outcome { return }
    // No reset is needed: the peer knows already, or cannot be reached.
    stream.isReset = true
    if case .failed(let isUnprocessed) = outcome {
      return stream.exchange.fail(isUnprocessed ? error().safeToRetry : error())
    }
    remove(stream)
    stream.exchange.retry()
  }

  private func phase(of stream: HTTP2Stream) -> MartletError.Phase {
    if stream.exchange.receiving.head != nil { return .receive }
    return stream.exchange.sending.isWhole ? .wait : .send
  }

  // MARK: The connection

  /// Retires the connection: it takes no more exchanges, and closes once those under way are over.
  func retire() {
    pool.retire(self)
  }

  /// Handles a GOAWAY of the peer (§6.8). Requests that the peer has not accepted, or that were not sent yet, are sent
  /// on another connection if possible.
  func goAway(last: Int32, _ code: HTTP2ErrorCode, reason: ByteBuffer?) {
    retire()
    let error = { [pool] (phase: MartletError.Phase) -> MartletError in
      .goneAway(pool.origin, code: code.name, reason: reason?.text, phase: phase)
    }
    noteEnd(error(.connect))
    for stream in inOrder {
      apply(
        retryPolicy(of: stream).goneAway(last: last, code), to: stream, error(phase(of: stream)))
    }
    if streams.isEmpty { close() }
    pool.openWhatIsNeeded()
  }

  /// Handles a fault that ends the connection (§5.4.1). A peer whose first bytes are not a frame does not use HTTP/2 (§3.4).
  func fail(_ fault: HTTP2Fault) {
    failConnection(
      decoder.hasReadFrame
        ? .connectionBroken(pool.origin, code: fault.code.name, underlying: fault)
        : .notHTTP2(pool.origin, phase: .receive, underlying: fault), fault.code)
  }

  /// Closes the connection at once and ends all of its streams.
  private func failConnection(_ error: MartletError, _ code: HTTP2ErrorCode) {
    guard !isClosing else { return }
    isClosing = true
    deliverDueResponses()
    retire()
    noteEnd(error)
    for stream in inOrder { apply(retryPolicy(of: stream).lost(), to: stream, error) }
    sendGoAway(code)
    context?.closeAtOnce()
  }

  func close() {
    guard !isClosing else { return }
    isClosing = true
    sendGoAway(.noError)
    context?.close(promise: nil)
  }

  private func sendGoAway(_ code: HTTP2ErrorCode) {
    encoder.addGoAway(code)
    isFlushPending = true
    flush()
  }

  func shutDown(abandoning: Bool) {
    loop.assertInEventLoop()
    if abandoning { for stream in inOrder { stream.exchange.end(.shutDown) } }
    if streams.isEmpty { close() }
  }

  func connectionEnded() {
    deliverDueResponses()
    isClosed = true
    (unbegun, streamsToNote) = ([], [])
    noteEnd(pool.connectionError(info, sent: .nothing, isFresh: !mayBeStale, underlying: lastError))
    pool.ticker.remove(self)
    pool.closed(self)
    for stream in inOrder {
      apply(
        retryPolicy(of: stream).lost(mayBeStale: mayBeStale), to: stream, lostConnection(stream))
    }
  }

  private func lostConnection(_ stream: HTTP2Stream) -> MartletError {
    let receiving = stream.exchange.receiving
    guard receiving.head != nil else {
      let sent = stream.hasBegun ? stream.exchange.sending.sent : .nothing
      return pool.connectionError(info, sent: sent, isFresh: !mayBeStale, underlying: lastError)
    }
    var error = MartletError.bodyTruncated(
      received: receiving.bodyBytes, of: receiving.bodyLength)
    if let lastError { error.underlying = lastError }
    return error
  }

  private var inOrder: [HTTP2Stream] { streams.values.sorted { $0.number < $1.number } }

  // MARK: Deadlines

  /// Checks whether bytes have left the operating system, or arrived there since the last read.
  ///
  /// The latter are a part of a TLS record, which may be of any stream. A stream is silent all the same if bytes of another one
  /// have been received since its own last activity.
  func checkSocket() {
    checkSendQueue()
    // The time may be up to 10 ms too late, and that of bytes that have been read.
    guard let time = lastArrival, time > readAt + .milliseconds(10) else { return }
    let latest = streams.values.compactMap(\.exchange.clock.lastReceived).max()
    for stream in streams.values
    where stream.exchange.clock.lastActivity >= latest ?? .uptimeNanoseconds(0) {
      stream.exchange.clock.markArrived(time)
    }
  }

  private var lastArrival: NIODeadline? { context?.channel.lastArrival }

  func checkDeadlines(_ now: NIODeadline) {
    if sendProgress.isDue(now) { checkSendQueue() }
    sendHeldBack(now)
    checkMark(now)
    switch liveness.check(
      now, isIdle: streams.isEmpty, lastArrival: lastArrival, hasDrained: sendProgress.hasDrained)
    {
    case .nothing: break
    case .ping:
      encoder.addPing(0, isAcknowledgement: false)
      flushSoon()
      sendProgress.wrote(now)
    case .close:
      failConnection(
        .unresponsive(pool.origin, after: options.pingInterval + options.pingTimeout), .noError)
    }
  }
}

extension MartletError {
  /// The same error, marked as safe to retry because the request was provably not processed.
  var safeToRetry: MartletError {
    var error = self
    error.isSafeToRetry = true
    return error
  }
}

extension ByteBuffer {
  /// The first 200 bytes as text, masked for use in an error sentence.
  fileprivate var text: String? {
    let text = String(decoding: readableBytesView.prefix(200), as: UTF8.self).masked
    return text.isEmpty ? nil : text
  }
}

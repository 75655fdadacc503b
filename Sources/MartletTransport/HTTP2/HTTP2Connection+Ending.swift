import MartletCore
import NIOCore
import NIOHTTP2

/// How streams and the connection end, and whether their requests are sent again.
extension HTTP2Connection {
  // MARK: Streams

  /// Removes a stream that is over, so that its place is free for the next exchange.
  func remove(_ stream: HTTP2Stream) {
    stream.isOpen = false
    guard streams.removeValue(forKey: stream.number) != nil else { return }
    lowerMark()
    giveBackUnread(of: stream)
    sendWindows.close(stream.number)
    blocked.removeAll { $0 === stream }
    if !isClosed { pool.released(self) }
  }

  /// Ends a stream whose response is malformed in a way that the framing handler does not check (§8.1.1).
  func resetAsMalformed(_ stream: HTTP2Stream) {
    reset(stream, .protocolError)
    stream.exchange.fail(streamError(.protocolError))
  }

  /// The error for a stream on which the peer breaks the rules of HTTP/2.
  func streamError(_ code: HTTP2ErrorCode, _ underlying: (any Error)? = nil) -> MartletError {
    .streamBroken(pool.origin, code: code.name, underlying: underlying)
  }

  /// Handles a stream that the peer has reset (§6.4).
  func wasReset(_ stream: HTTP2Stream, _ code: HTTP2ErrorCode) {
    stream.isReset = true
    apply(
      retryPolicy(of: stream).reset(with: code), to: stream,
      .streamReset(pool.origin, code: code.name, phase: phase(of: stream)))
  }

  private func retryPolicy(of stream: HTTP2Stream) -> StreamRetryPolicy {
    StreamRetryPolicy(
      number: stream.number, hasBegun: stream.number <= lastBegun,
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
      // The framing handler must not begin this stream any more.
      if stream.number > lastBegun { reset(stream, .cancel) }
      apply(
        retryPolicy(of: stream).goneAway(last: last, code), to: stream, error(phase(of: stream)))
    }
    if streams.isEmpty { close() }
    pool.openWhatIsNeeded()
  }

  func caught(_ error: any Error) {
    switch lastFault.take() {
    case .stream(let number, let code)? where error is any NIOHTTP2Error:
      streams[number]?.exchange.fail(streamError(code, error))
    case .connection(let code)?:
      // A peer whose first bytes are not a frame does not use HTTP/2 (§3.4).
      failConnection(
        hasReceivedFrame
          ? .connectionBroken(pool.origin, code: code.name, underlying: error)
          : .notHTTP2(pool.origin, phase: .receive, underlying: error))
    case .stream?, nil: caughtWithoutFault(error)
    }
  }

  /// Handles an error for which no fault was recorded.
  ///
  /// For a fault of the whole connection, the framing handler always sends a GOAWAY first, even while the socket is
  /// full, and the fault is recorded then. The reset of a stream waits while the socket is full, and its fault is
  /// recorded once the reset is sent.
  private func caughtWithoutFault(_ error: any Error) {
    switch error {
    case let error as NIOHTTP2Errors.StreamError:
      // The engine has written a frame that the stream's state does not allow.
      streams[Int32(error.streamID)].map { resetAsMalformed($0) }
    case is any NIOHTTP2Error: break
    default:
      lastError = error
      context?.close(promise: nil)
    }
  }

  /// Closes the connection at once and ends all of its streams.
  private func failConnection(_ error: MartletError) {
    deliverDueResponses()
    retire()
    noteEnd(error)
    for stream in inOrder { apply(retryPolicy(of: stream).lost(), to: stream, error) }
    context?.closeAtOnce()
  }

  func close() {
    guard !isClosing else { return }
    isClosing = true
    write(
      HTTP2Frame(
        streamID: .rootStream,
        payload: .goAway(lastStreamID: .rootStream, errorCode: .noError, opaqueData: nil)))
    flush()
    context?.close(promise: nil)
  }

  func shutDown(abandoning: Bool) {
    loop.assertInEventLoop()
    if abandoning { for stream in inOrder { stream.exchange.end(.shutDown) } }
    if streams.isEmpty { close() }
  }

  func connectionEnded() {
    deliverDueResponses()
    isClosed = true
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
      let sent = stream.number > lastBegun ? .nothing : stream.exchange.sending.sent
      return pool.connectionError(info, sent: sent, isFresh: !mayBeStale, underlying: lastError)
    }
    var error = MartletError.bodyTruncated(
      received: receiving.bodyBytes, of: receiving.bodyLength)
    if let lastError { error.underlying = lastError }
    return error
  }

  private var inOrder: [HTTP2Stream] { streams.values.sorted { $0.number < $1.number } }

  // MARK: Deadlines

  func checkDeadlines(_ now: NIODeadline) {
    checkSendQueue(now)
    sendHeldBack(now)
    checkMark(now)
    switch liveness.check(now, isIdle: streams.isEmpty, hasDrained: sendProgress.hasDrained) {
    case .nothing: break
    case .ping:
      write(HTTP2Frame(streamID: .rootStream, payload: .ping(HTTP2PingData(), ack: false)))
      sendProgress.wrote(now)
    case .close:
      failConnection(.unresponsive(pool.origin, after: options.pingInterval + options.pingTimeout))
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

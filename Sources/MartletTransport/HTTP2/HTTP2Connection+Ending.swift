import MartletCore
import NIOCore
import NIOHTTP2

/// How streams and the connection end, and what becomes of the requests.
extension HTTP2Connection {
  // MARK: Streams

  /// A stream is over: its place is free for the next call.
  func forget(_ stream: HTTP2Stream) {
    guard streams.removeValue(forKey: stream.number) != nil else { return }
    giveBackUnread(of: stream)
    sendWindows.close(stream.number)
    blocked.removeAll { $0 === stream }
    if !isClosed { pool.released(self) }
  }

  func fail(_ stream: HTTP2Stream, _ error: MartletError) {
    var error = error
    if error.response == nil, let head = stream.exchange.head { error.response = head }
    stream.exchange.drop(error)
    forget(stream)
    stream.exchange.call.fail(error)
  }

  /// Ends a stream whose response is malformed in a way that the framing handler lets pass (§8.1.1).
  func breakOff(_ stream: HTTP2Stream) {
    reset(stream, .protocolError)
    fail(stream, broken(.protocolError))
  }

  /// The error of a stream that breaks the rules.
  func broken(_ code: HTTP2ErrorCode, _ underlying: (any Error)? = nil) -> MartletError {
    .streamBroken(pool.origin, code: code.name, underlying: underlying)
  }

  /// The peer ended a stream (§6.4).
  func wasReset(_ stream: HTTP2Stream, _ code: HTTP2ErrorCode) {
    // All of the response is in, and only a file is being finished.
    guard !stream.exchange.isReceived else { return }
    let error = MartletError.streamReset(pool.origin, code: code.name, phase: phase(of: stream))
    // §8.7 — a refused stream was not processed.
    if code == .refusedStream { replay(stream, or: error.safeToRetry) } else { fail(stream, error) }
  }

  /// Sends a request once more, if that can be done: the server has not processed it, or may do so twice.
  private func replay(_ stream: HTTP2Stream, or error: MartletError) {
    let call = stream.exchange.call
    guard stream.exchange.head == nil, call.mayRewind else {
      var error = error
      if stream.exchange.head != nil { error.isSafeToRetry = false }
      return fail(stream, error)
    }
    stream.exchange.upload?.cancel()
    forget(stream)
    call.rewind()
  }

  private func phase(of stream: HTTP2Stream) -> MartletError.Phase {
    if stream.exchange.head != nil { return .receive }
    return stream.exchange.isRequestSent ? .wait : .send
  }

  // MARK: The connection

  /// It takes no more calls; once those under way are over, it closes.
  func retire() {
    pool.retire(self)
  }

  /// The peer goes away (§6.8): what it has not accepted, or not been sent yet, goes out elsewhere.
  func goAway(last: Int32, _ code: HTTP2ErrorCode, reason: ByteBuffer?) {
    retire()
    let error = { [self] (stream: HTTP2Stream) -> MartletError in
      .goneAway(pool.origin, code: code.name, reason: reason?.text, phase: phase(of: stream))
    }
    for stream in inOrder where stream.number > min(last, lastBegun) {
      // The framing handler must not begin it any more.
      if stream.number > lastBegun { reset(stream, .cancel) }
      replay(stream, or: error(stream).safeToRetry)
    }
    noteEnd(.goneAway(pool.origin, code: code.name, reason: reason?.text, phase: .connect))
    if code != .noError {
      for stream in inOrder where !stream.exchange.isReceived { fail(stream, error(stream)) }
    }
    if streams.isEmpty { close() }
    pool.openWhatIsNeeded()
  }

  func caught(_ error: any Error) {
    switch faults.take() {
    case .stream(let number, let code)? where error is any NIOHTTP2Error:
      streams[number].map { fail($0, broken(code, error)) }
    case .connection(let code)?:
      // What does not begin with a frame is another protocol (§3.4).
      giveUp(
        hasHeard
          ? .connectionBroken(pool.origin, code: code.name, underlying: error)
          : .notHTTP2(pool.origin, phase: .receive, underlying: error))
    case .stream?, nil: caughtWithoutFault(error)
    }
  }

  /// A fault of the whole connection never comes without its GOAWAY, which leaves even while the socket is
  /// full. A stream's reset waits then, and tells of the fault once it leaves.
  private func caughtWithoutFault(_ error: any Error) {
    switch error {
    case let error as NIOHTTP2Errors.StreamError:
      // We have written what the stream's state does not allow.
      streams[Int32(error.streamID)].map { breakOff($0) }
    case is any NIOHTTP2Error: break
    default:
      lastError = error
      context?.close(promise: nil)
    }
  }

  /// The connection is of no use any more, whoever uses it.
  private func giveUp(_ error: MartletError) {
    retire()
    noteEnd(error)
    for stream in inOrder where !stream.exchange.isReceived { end(stream, error) }
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
    if abandoning { for stream in inOrder { stream.exchange.call.end(.shutDown) } }
    if streams.isEmpty { close() }
  }

  func connectionEnded() {
    isClosed = true
    noteEnd(pool.lost(info, in: .send, isFresh: !mayBeStale, underlying: lastError))
    pool.ticker.leave(self)
    pool.closed(self)
    for stream in inOrder where !stream.exchange.isReceived {
      let lost = lostConnection(stream)
      if isStale(stream) { replay(stream, or: lost) } else { end(stream, lost) }
    }
  }

  /// Ends a stream with its connection: what had not left yet goes out elsewhere.
  private func end(_ stream: HTTP2Stream, _ error: MartletError) {
    if stream.number > lastBegun {
      replay(stream, or: error.safeToRetry)
    } else {
      fail(stream, error)
    }
  }

  private func lostConnection(_ stream: HTTP2Stream) -> MartletError {
    guard stream.exchange.head != nil else {
      return pool.lost(
        info, in: phase(of: stream), isFresh: !mayBeStale, underlying: lastError)
    }
    var error = MartletError.bodyTruncated(received: stream.bodyBytes, of: stream.bodyLength)
    if let lastError { error.underlying = lastError }
    return error
  }

  /// Whether the server may have closed the connection before it came to the request, so that an
  /// idempotent one (RFC 9110 §9.2.2) may go out again.
  private func isStale(_ stream: HTTP2Stream) -> Bool {
    mayBeStale && stream.exchange.bytesReceived == 0
      && stream.exchange.call.request.method.isIdempotent
  }

  private var inOrder: [HTTP2Stream] { streams.values.sorted { $0.number < $1.number } }

  // MARK: Time

  func checkDeadlines(_ call: Call, _ now: NIODeadline) {
    guard let stream = stream(of: call), let due = stream.exchange.continueBy, due <= now else {
      return
    }
    startUpload(of: stream)
  }

  func checkDeadlines(_ now: NIODeadline) {
    switch liveness.check(now, isIdle: streams.isEmpty) {
    case .nothing: break
    case .ping:
      write(HTTP2Frame(streamID: .rootStream, payload: .ping(HTTP2PingData(), ack: false)))
    case .giveUp:
      giveUp(.unresponsive(pool.origin, after: options.quietTime + options.pingPatience))
    }
  }
}

extension MartletError {
  /// The same of a request that was provably not processed.
  var safeToRetry: MartletError {
    var error = self
    error.isSafeToRetry = true
    return error
  }
}

extension ByteBuffer {
  /// The first bytes as text, without what could not stand in a sentence.
  fileprivate var text: String? {
    let text = String(decoding: readableBytesView.prefix(200), as: UTF8.self).masked
    return text.isEmpty ? nil : text
  }
}

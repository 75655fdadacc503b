import MartletCore
import NIOCore

/// How an HTTP/2 connection sends requests.
extension HTTP2Connection {
  /// How many bytes of a body are sent in one turn, when several bodies wait for the windows or the socket.
  private static let turn = 64 << 10
  /// How long a window that is too small for a frame has time to grow (RFC 9293 §3.8.6.2.1 recommends 0.1 to 1 second).
  private static let windowTimeout = TimeAmount.milliseconds(100)

  func send(_ request: Request, small body: ByteBuffer?, on stream: HTTP2Stream) {
    guard !request.method.requestsTunnel else {
      // Nothing has been sent, so there is no stream to reset.
      stream.isReset = true
      return stream.exchange.end(.connectNeedsHTTP1(pool.origin))
    }
    request.call?.beginSending(request, over: info, isConnectionReused: stream.isReused)
    // While the socket is full, the request waits here: if the connection ends, it has provably not been sent.
    guard context?.channel.isWritable == true, unbegun.isEmpty else {
      return unbegun.append((stream, request, body))
    }
    begin(stream, request, small: body)
  }

  /// Sends the requests that have waited for the socket.
  func sendUnbegun() {
    while context?.channel.isWritable == true, !unbegun.isEmpty {
      let (stream, request, body) = unbegun.removeFirst()
      if stream.isOpen { begin(stream, request, small: body) }
    }
  }

  private func begin(_ stream: HTTP2Stream, _ request: Request, small body: ByteBuffer?) {
    let fields = RequestFields(request, origin: pool.origin, authority: authority)
    let hasBody = request.bodyLength != 0 || request.trailers != nil
    guard add(fields, to: stream, isEnd: !hasBody) else { return }
    guard hasBody else {
      stream.exchange.markSent()
      return sendProgress.wroteAfterPending(stream.exchange.clock.lastActivity)
    }
    sendWindows.open(stream.number)
    if let body {
      stream.unsent = body
      stream.isBodyComplete = true
    }
    pump(stream)
  }

  /// Adds a header section, and returns whether this was possible.
  private func add(_ fields: RequestFields, to stream: HTTP2Stream, isEnd: Bool) -> Bool {
    stream.hasBegun = true
    do throws(HTTP2Fault) {
      try encoder.add(fields.section, on: stream.number, isEnd: isEnd)
    } catch {
      fail(error)
      return false
    }
    flushSoon()
    stream.exchange.sending.bytes += Int64(fields.size)
    return true
  }

  // MARK: Bodies

  /// Sends what is left of a chunk, and returns whether there is room for another chunk.
  func pumpUpload(of stream: HTTP2Stream) -> Bool {
    guard !stream.exchange.isSuspended else { return false }
    pump(stream)
    guard stream.unsent == nil else { return false }
    if context?.channel.isWritable == true { return true }
    block(stream)
    return false
  }

  /// Sends as much as the windows, the socket and the stream's turn allow.
  func pump(_ stream: HTTP2Stream) {
    guard stream.isOpen, !stream.isReset else { return }
    guard stream.hasBegun else { return block(stream) }
    while let slice = nextSlice(of: stream) {
      let isLast =
        stream.unsent == nil && stream.trailers == nil
        && (stream.isBodyComplete || stream.exchange.sending.bodyLeft == Int64(slice.readableBytes))
      sendData(slice, isLast: isLast, on: stream)
    }
    if stream.unsent != nil { return block(stream) }
    if stream.isBodyComplete, !stream.exchange.sending.isWhole { sendEnd(of: stream) }
  }

  /// Returns the next bytes of a body that may be sent now: at most `BodyChunks.slice`, so that progress is reported
  /// often.
  private func nextSlice(of stream: HTTP2Stream) -> ByteBuffer? {
    guard var unsent = stream.unsent, context?.channel.isWritable == true else { return nil }
    let allowed = min(
      sendWindows.allowance(of: stream.number, for: unsent.readableBytes), stream.turn ?? .max,
      BodyChunks.slice)
    guard let slice = unsent.readSlice(length: allowed), allowed > 0 else {
      if unsent.readableBytes == 0 { stream.unsent = nil }
      return nil
    }
    stream.unsent = unsent.readableBytes > 0 ? unsent : nil
    return slice
  }

  private func sendData(_ bytes: ByteBuffer, isLast: Bool, on stream: HTTP2Stream) {
    let count = bytes.readableBytes
    sendWindows.sent(count, on: stream.number)
    stream.turn? -= count
    stream.heldBackSince = nil
    stream.hasMarkedRoom = false
    stream.exchange.sending.bodyLeft? -= Int64(count)
    stream.exchange.sending.bytes += Int64(count)
    let written = loop.makePromise(of: Void.self)
    written.futureResult.assumeIsolated().whenComplete { [self] in
      guard case .success = $0 else { return }
      let now = pool.now
      liveness.wrote(now)
      sendProgress.wrote(now)
      context?.channel.limitUnsentBytes(to: unsentLimit.wrote(count, now))
      // The request may have been sent again, on another stream.
      guard !stream.isReset else { return }
      stream.exchange.noteWritten(count, now)
    }
    encoder.add(bytes, on: stream.number, isEnd: isLast)
    write(promise: written)
    flushSoon()
    if isLast { stream.exchange.markSent() }
  }

  private func sendEnd(of stream: HTTP2Stream) {
    if let trailers = stream.trailers, !trailers.isEmpty {
      guard add(RequestFields(trailers: trailers), to: stream, isEnd: true) else { return }
    } else {
      encoder.add(ByteBuffer(), on: stream.number, isEnd: true)
      flushSoon()
    }
    stream.exchange.markSent()
  }

  // MARK: Waiting for room

  private func block(_ stream: HTTP2Stream) {
    let isHeldBack = stream.unsent != nil && sendWindows.allowance(of: stream.number) > 0
    if isHeldBack, stream.heldBackSince == nil {
      let now = pool.now
      stream.heldBackSince = now
      // It is this side that waits. Without bytes in between, more room is no sign of life.
      if !stream.hasMarkedRoom { stream.exchange.clock.markRoom(now) }
      stream.hasMarkedRoom = true
    } else if !isHeldBack {
      stream.heldBackSince = nil
    }
    if !blocked.contains(where: { $0 === stream }) { blocked.append(stream) }
  }

  /// Gives each blocked stream its turn, in order, because the connection's window or the socket has room again. A
  /// stream without unsent bytes waits only for the socket, so its turn does not depend on the window.
  func sendBlocked() {
    var waiting = blocked
    blocked = []
    var left = UploadQueue.highWater
    while left > 0, context?.channel.isWritable == true,
      let next = waiting.firstIndex(where: { sendWindows.connection > 0 || $0.unsent == nil })
    {
      let stream = waiting.remove(at: next)
      guard stream.isOpen, !stream.exchange.isSuspended else { continue }
      stream.turn = Self.turn
      pump(stream)
      if stream.unsent == nil { stream.exchange.resumeUpload() }
      left -= Self.turn - (stream.turn ?? 0)
      stream.turn = nil
      // A stream whose windows have room gets another turn. A stream whose windows are too small stays blocked.
      if let unsent = stream.unsent,
        sendWindows.allowance(of: stream.number, for: unsent.readableBytes) > 0,
        let index = blocked.firstIndex(where: { $0 === stream })
      {
        waiting.append(blocked.remove(at: index))
      }
    }
    blocked = waiting.filter(\.isOpen) + blocked
    // The channel may report that it is full only after a flush, so the rest waits for the next turn of the loop.
    if left <= 0 { loop.assumeIsolated().execute { self.sendBlocked() } }
  }

  /// Sends what the windows allow, however little, if the peer has not enlarged them within `windowTimeout`.
  func sendHeldBack(_ now: NIODeadline) {
    guard !blocked.isEmpty, context?.channel.isWritable == true else { return }
    let expired = blocked.filter { stream in
      stream.heldBackSince.map { $0 + Self.windowTimeout <= now } ?? false
    }
    guard !expired.isEmpty else { return }
    for stream in expired { sendWindows.useSmallWindow(of: stream.number) }
    sendBlocked()
  }

  // MARK: Writing

  /// Passes the collected frames to the channel.
  private func write(promise: EventLoopPromise<Void>) {
    let bytes = encoder.take()
    guard let context else { return promise.fail(ChannelError.ioOnClosedChannel) }
    context.write(wrapOutboundOut(bytes), promise: promise)
  }

  /// Flushes later, so that all frames that are written within one turn of the loop leave together.
  func flushSoon() {
    guard !isFlushPending else { return }
    isFlushPending = true
    if !isReading { loop.assumeIsolated().execute { self.flush() } }
  }

  func flush() {
    guard isFlushPending else { return }
    isFlushPending = false
    var bytes = encoder.take()
    if bytes.readableBytes > 0 { context?.write(wrapOutboundOut(bytes), promise: nil) }
    context?.flush()
    encoder.reuse(&bytes)
    noteDeliveries()
  }

  private func noteDeliveries() {
    guard !streamsToNote.isEmpty else { return }
    let streams = streamsToNote
    streamsToNote = []
    for stream in streams where stream.isOpen && !stream.exchange.sending.deliveryMark.isNoted {
      stream.exchange.checkDelivery()
    }
  }

  /// Resets a stream, unless it is over. The connection continues (§5.4.2).
  func reset(_ stream: HTTP2Stream, _ code: HTTP2ErrorCode) {
    let isClosed = stream.exchange.receiving.isWhole && stream.exchange.sending.isWhole
    guard stream.hasBegun, !stream.isReset, !isClosed else { return }
    stream.isReset = true
    encoder.addReset(stream.number, code)
    flushSoon()
  }

  /// Checks whether bytes of bodies have left the operating system. If so, the connection is alive. A stream whose own
  /// bytes may be among these bytes, or may wait after them, is alive as well.
  func checkSendQueue() {
    let before = sendProgress
    guard let time = sendProgress.update(from: context?.channel) else { return }
    liveness.drained(time)
    for stream in streams.values {
      let clock = stream.exchange.clock
      guard let written = clock.lastWrite ?? clock.sentAt, !before.hasDrained(written) else {
        continue
      }
      stream.exchange.clock.markDrained(time)
    }
  }
}

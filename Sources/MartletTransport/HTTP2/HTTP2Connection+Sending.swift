import MartletCore
import NIOCore
import NIOHTTP2

/// The requests' way to the wire.
extension HTTP2Connection {
  /// How much of a body leaves in its turn, when it shares a narrow window with others.
  private static let turn = 64 << 10
  /// How long a window that is not worth a frame may take to grow (RFC 9293 §3.8.6.2.1 has 0.1 to 1 second).
  private static let windowTimeout = TimeAmount.milliseconds(100)

  func send(_ asked: Request, small body: ByteBuffer?, on stream: HTTP2Stream) {
    guard !asked.method.asksForTunnel else {
      // Nothing has left that could be reset.
      stream.isReset = true
      return stream.exchange.end(.connectNeedsHTTP1(pool.origin))
    }
    let request = info.proxy == nil ? asked : asked.behindTunnel
    request.call?.report(.sending(request, over: info, isConnectionReused: stream.isReused))
    let fields = RequestFields(request, origin: pool.origin, authority: authority)
    let hasBody = request.body.length != 0
    write(stream, .headers(.init(headers: fields.section, endStream: !hasBody)))
    stream.exchange.sending.bytes += Int64(fields.size)
    guard hasBody else {
      stream.exchange.markSent()
      return sendProgress.wroteBehind(stream.exchange.clock.lastActivity)
    }
    sendWindows.open(stream.number)
    guard let body else { return }
    stream.unsent = body
    stream.isBodyComplete = true
    pump(stream)
  }

  // MARK: Bodies

  /// Whether there is room for another chunk.
  func pumpUpload(of stream: HTTP2Stream) -> Bool {
    guard !stream.exchange.isSuspended else { return false }
    pump(stream)
    guard stream.unsent == nil else { return false }
    if context?.channel.isWritable == true { return true }
    block(stream)
    return false
  }

  /// Sends what the windows, the socket and the stream's turn allow.
  func pump(_ stream: HTTP2Stream) {
    while let slice = nextSlice(of: stream) {
      let isLast =
        stream.unsent == nil
        && (stream.isBodyComplete || stream.exchange.sending.bodyLeft == Int64(slice.readableBytes))
      sendData(slice, isLast: isLast, on: stream)
    }
    if stream.unsent != nil { return block(stream) }
    if stream.isBodyComplete, !stream.exchange.sending.isWhole { sendEnd(of: stream) }
  }

  /// What of a body may leave now, small enough to count as progress.
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
    stream.exchange.sending.bodyLeft? -= Int64(count)
    stream.exchange.sending.bytes += Int64(count)
    let written = loop.makePromise(of: Void.self)
    written.futureResult.assumeIsolated().whenComplete { [self] in
      guard case .success = $0 else { return dropped(stream.number) }
      let now = NIODeadline.now()
      liveness.wrote(now)
      sendProgress.wrote(now)
      // The request may be under way again, on another stream.
      guard !stream.isReset else { return }
      stream.exchange.noteWritten(count, now)
    }
    write(stream, .data(.init(data: .byteBuffer(bytes), endStream: isLast)), promise: written)
    if isLast { stream.exchange.markSent() }
  }

  /// What a stream had sent does not leave, for the stream has ended: others may use the room.
  private func dropped(_ number: Int32) {
    sendWindows.dropUnwritten(of: number)
    guard !blocked.isEmpty else { return }
    loop.assumeIsolated().execute { self.sendBlocked() }
  }

  private func sendEnd(of stream: HTTP2Stream) {
    write(stream, .data(.init(data: .byteBuffer(ByteBuffer()), endStream: true)))
    stream.exchange.markSent()
  }

  // MARK: Waiting for room

  private func block(_ stream: HTTP2Stream) {
    let isHeldBack = stream.unsent != nil && sendWindows.allowance(of: stream.number) > 0
    stream.heldBackSince = isHeldBack ? stream.heldBackSince ?? .now() : nil
    if !blocked.contains(where: { $0 === stream }) { blocked.append(stream) }
  }

  /// The connection's window or the socket has room again: each stream has its turn, in order. A stream that waited for
  /// the socket alone, with all of its body sent, needs no window to say that it has ended.
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
      // A stream whose own window is the narrow one waits for that alone.
      if let unsent = stream.unsent,
        sendWindows.allowance(of: stream.number, for: unsent.readableBytes) > 0,
        let index = blocked.firstIndex(where: { $0 === stream })
      {
        waiting.append(blocked.remove(at: index))
      }
    }
    blocked = waiting + blocked
    // What was written has to leave before it shows that there is no more room.
    if left <= 0 { loop.assumeIsolated().execute { self.sendBlocked() } }
  }

  /// The peer has had time to enlarge its windows, and has not: what it allows is sent, however little.
  func sendHeldBack(_ now: NIODeadline) {
    guard !blocked.isEmpty, context?.channel.isWritable == true else { return }
    let patient = blocked.filter { stream in
      stream.heldBackSince.map { $0 + Self.windowTimeout <= now } ?? false
    }
    guard !patient.isEmpty else { return }
    for stream in patient { sendWindows.acceptSmall(of: stream.number) }
    sendBlocked()
  }

  // MARK: Frames

  func write(
    _ stream: HTTP2Stream, _ payload: HTTP2Frame.FramePayload,
    promise: EventLoopPromise<Void>? = nil
  ) {
    write(HTTP2Frame(streamID: stream.id, payload: payload), promise: promise)
  }

  func write(_ frame: HTTP2Frame, promise: EventLoopPromise<Void>? = nil) {
    guard let context else { return promise?.fail(ChannelError.ioOnClosedChannel) ?? () }
    context.write(wrapOutboundOut(frame), promise: promise)
    flushSoon()
  }

  /// What is written within one turn of the loop leaves together.
  private func flushSoon() {
    guard !isFlushPending else { return }
    isFlushPending = true
    if !isReading { loop.assumeIsolated().execute { self.flush() } }
  }

  func flush() {
    guard isFlushPending else { return }
    isFlushPending = false
    context?.flush()
  }

  /// Ends a stream, unless it is over; the connection goes on (§5.4.2).
  func reset(_ stream: HTTP2Stream, _ code: HTTP2ErrorCode) {
    let isClosed = stream.exchange.receiving.isWhole && stream.exchange.sending.isWhole
    guard !stream.isReset, !isClosed else { return }
    stream.isReset = true
    write(stream, .rstStream(code))
  }
}

/// What has become of the frames that were handed to the framing handler, which keeps some for a while, and to the socket.
extension HTTP2Connection: NIOHTTP2FrameDelegate {
  func wroteFrame(_ frame: HTTP2Frame) {
    switch frame.payload {
    case .headers: lastBegun = Int32(frame.streamID)
    case .data(let data):
      sendWindows.written(data.data.readableBytes, on: Int32(frame.streamID))
    case .rstStream(let code): wasBroken(Int32(frame.streamID), code)
    case .windowUpdate(let growth) where frame.streamID == .rootStream: budget.announced(growth)
    case .goAway(_, let code, _): faults.note(.connection(code))
    default: break
    }
  }

  /// The framing handler has ended a stream that breaks the rules. Mostly it raises the error next; where
  /// the frame had to wait for room in the socket, that was before, and did not say which stream it was.
  private func wasBroken(_ number: Int32, _ code: HTTP2ErrorCode) {
    guard let stream = streams[number], !stream.isReset else { return }
    stream.isReset = true
    faults.note(.stream(number, code))
    // Nothing may be written while a frame is.
    loop.assumeIsolated().execute { [self] in
      faults.clear()
      if stream.isOpen { stream.exchange.fail(broken(code)) }
    }
  }

  /// Looks whether bytes of bodies have left the system: a sign of life for the connection, and for the streams that
  /// waited for them, whose own bytes they may be or lie behind.
  func checkSendQueue(_ now: NIODeadline) {
    let before = sendProgress
    guard sendProgress.update(from: context?.channel, now) else { return }
    liveness.drained(now)
    for stream in streams.values {
      let clock = stream.exchange.clock
      guard let written = clock.lastWrite ?? clock.sentAt, !before.hasDrained(written) else {
        continue
      }
      stream.exchange.clock.markDrained(now)
    }
  }
}

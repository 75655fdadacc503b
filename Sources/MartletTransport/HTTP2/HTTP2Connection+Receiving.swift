import HTTPTypes
import MartletCore
import NIOCore
import NIOHPACK

/// How an HTTP/2 connection receives frames and responses.
extension HTTP2Connection {
  /// Handles a frame.
  ///
  /// - Throws: A fault that ends the connection.
  func receive(_ frame: HTTP2Frame) throws(HTTP2Fault) {
    try checkFirst(frame)
    try floodGuard.check(
      frame, at: readAt, isSocketFull: context?.channel.isWritable == false)
    switch frame {
    case .headers(let number, let section, let isEnd):
      guard let stream = try stream(number) else { return try lateFrames.skipSection() }
      receive(section, isEnd: isEnd, stream)
    case .data(let number, let bytes, let length, let isEnd):
      try budget.received(length)
      guard let stream = try stream(number) else { return try lateFrames.skip(bytes: length) }
      receive(bytes, length: length, isEnd: isEnd, stream)
    case .reset(let number, let code):
      if let stream = try stream(number) { wasReset(stream, code) }
    case .settings(let settings): try apply(settings)
    case .windowUpdate(let number, let growth): try windowGrew(of: number, by: growth)
    case .goAway(let last, let code, let reason): goAway(last: last, code, reason: reason)
    case .ping(let number):
      encoder.addPing(number, isAcknowledgement: true)
      flushSoon()
    case .settingsAcknowledged, .pingAcknowledged, .ignored: break
    }
  }

  /// §3.4 — the settings come first.
  private func checkFirst(_ frame: HTTP2Frame) throws(HTTP2Fault) {
    guard !hasSettings else { return }
    guard case .settings = frame else {
      throw HTTP2Fault(.protocolError, "the first frame is not SETTINGS (RFC 9113 §3.4)")
    }
  }

  /// Returns the stream of a frame, or `nil` if it is over.
  private func stream(_ number: Int32) throws(HTTP2Fault) -> HTTP2Stream? {
    let stream = streams[number]
    guard numbers.haveTaken(number), stream?.hasBegun != false else {
      throw HTTP2Fault(.protocolError, "stream \(number) was not begun (RFC 9113 §5.1)")
    }
    return stream
  }

  /// Applies the settings that limit what is sent, and acknowledges them (§6.5.3).
  private func apply(_ settings: HTTP2Settings) throws(HTTP2Fault) {
    if let sizes = settings.initialWindow {
      try sendWindows.initialChanged(to: sizes.largest)
      try sendWindows.initialChanged(to: sizes.last)
    }
    if let sizes = settings.headerTable {
      try encoder.limitTable(to: sizes.smallest)
      try encoder.limitTable(to: sizes.last)
    }
    if let maximum = settings.maximumStreams { allowedStreams = maximum }
    encoder.addSettingsAcknowledgement()
    flushSoon()
    hasSettings = true
    pool.capacityChanged(self, to: allowedStreams)
    haveWindowsGrown = true
  }

  /// Enlarges a window for sending. Streams that wait for a window continue after all frames of the same read have been
  /// handled, because a peer often enlarges several windows at once, or one in small steps.
  private func windowGrew(of number: Int32, by growth: Int) throws(HTTP2Fault) {
    haveWindowsGrown = true
    guard number != 0 else { return try sendWindows.growConnection(by: growth) }
    guard let stream = try stream(number) else { return }
    do throws(HTTP2Fault) {
      try sendWindows.grow(number, by: growth)
    } catch {
      fail(stream, error.code)
    }
  }

  // MARK: Responses

  private func receive(_ section: HPACKHeaders, isEnd: Bool, _ stream: HTTP2Stream) {
    guard !stream.isEnded else { return fail(stream, .streamClosed) }
    let isTrailers = stream.exchange.receiving.sink != nil
    stream.isEnded = isEnd
    do throws(ResponseFields.Fault) {
      let fields = try ResponseFields(
        section, limit: limits.responseHeadSize,
        last: isTrailers ? HTTPFields() : lastFields)
      stream.exchange.noteReceived(fields.size, readAt)
      if !isTrailers {
        lastFields = fields.fields
        try begin(stream, with: fields, isEnd: isEnd)
      } else {
        let trailers = try fields.trailers()
        guard isEnd else { throw .breaksRules }
        end(stream, trailers: trailers)
      }
    } catch {
      switch error {
      case .breaksRules: fail(stream, .protocolError)
      case .unusable(let error): stream.exchange.fail(error)
      }
    }
  }

  private func begin(
    _ stream: HTTP2Stream, with fields: ResponseFields, isEnd: Bool
  ) throws(ResponseFields.Fault) {
    let (head, contentLength) = (try fields.head(), fields.contentLength)
    guard head.status.kind != .informational else {
      guard !isEnd else { throw .breaksRules }
      return try interim(head, size: fields.size, stream)
    }
    let method = stream.exchange.request.method
    let mayHaveBody = method != .head && head.status.code != 204 && head.status.code != 304
    if isEnd, mayHaveBody, contentLength ?? 0 != 0 { throw .breaksRules }
    do throws(MartletError) {
      try stream.exchange.receive(head, bodyLength: isEnd || !mayHaveBody ? 0 : contentLength)
    } catch {
      throw .unusable(error)
    }
    guard stream.isOpen else { return }
    if stream.exchange.receiving.undecided.response != nil {
      streamsWithDueResponses.append(stream)
    }
    if isEnd { end(stream, trailers: nil) }
  }

  /// Handles an interim response. The size of all is limited, and 101 is not allowed (§8.6).
  private func interim(
    _ head: ResponseHead, size: Int, _ stream: HTTP2Stream
  ) throws(ResponseFields.Fault) {
    guard head.status.code != 101 else { throw .breaksRules }
    stream.interimSize += size
    guard stream.interimSize <= limits.responseHeadSize else {
      throw .unusable(.interimResponsesTooLarge(limit: limits.responseHeadSize))
    }
    stream.exchange.receive(interim: head)
  }

  private func receive(_ bytes: ByteBuffer, length: Int, isEnd: Bool, _ stream: HTTP2Stream) {
    guard !stream.isEnded else { return fail(stream, .streamClosed) }
    stream.isEnded = isEnd
    let exchange = stream.exchange
    exchange.noteReceived(bytes.readableBytes, readAt)
    // §8.1 — a body comes after its head.
    guard exchange.receiving.sink != nil else { return fail(stream, .protocolError) }
    let received = exchange.receiving.bodyBytes + Int64(bytes.readableBytes)
    if let announced = exchange.receiving.bodyLength, received > announced {
      return fail(stream, .protocolError)
    }
    do throws(MartletError) {
      try exchange.receive(bytes, isLast: isEnd)
    } catch {
      return exchange.fail(error)
    }
    guard stream.isOpen else { return }
    if isEnd { return end(stream, trailers: nil) }
    credit(stream, for: length)
    guard stream.isOpen else { return }
    adjustMark(after: bytes.readableBytes, of: stream)
  }

  /// Handles the end of a response. The length of its body must be as announced (§8.1.1).
  private func end(_ stream: HTTP2Stream, trailers: HTTPFields?) {
    if let length = stream.exchange.receiving.bodyLength,
      stream.exchange.receiving.bodyBytes != length
    {
      return fail(stream, .protocolError)
    }
    stream.exchange.receiveEnd(trailers)
  }
}

/// The receive windows of the streams and of the connection (§6.9).
extension HTTP2Connection {
  /// Updates the windows after bytes have arrived on a stream.
  func credit(_ stream: HTTP2Stream, for count: Int) {
    let growth = stream.window.received(count)
    guard !stream.window.isOverrun else { return fail(stream, .flowControlError) }
    if stream.window.isPaused { budget.unreadChanged(by: count) }
    grow(stream.number, by: growth)
  }

  /// Pauses or resumes a stream.
  func setPaused(_ isPaused: Bool, _ stream: HTTP2Stream) {
    guard !isPaused else {
      lowerMark()
      return stream.window.pause()
    }
    giveBackUnread(of: stream)
    let growth = stream.window.resume()
    if !stream.exchange.receiving.isWhole { grow(stream.number, by: growth) }
  }

  /// Returns the unread bytes of a stream to the budget of the connection.
  func giveBackUnread(of stream: HTTP2Stream) {
    guard stream.window.unread > 0 else { return }
    budget.unreadChanged(by: -stream.window.unread)
    grow(0, by: budget.refill())
  }

  /// Enlarges the receive window of a stream, or of the connection if `number` is 0.
  func grow(_ number: Int32, by count: Int) {
    guard count > 0 else { return }
    encoder.addWindowUpdate(number, by: count)
    flushSoon()
  }
}

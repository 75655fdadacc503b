import HTTPTypes
import MartletCore
import NIOCore
import NIOHTTP2

/// How an HTTP/2 connection receives frames and responses.
extension HTTP2Connection {
  func receive(_ frame: HTTP2Frame) {
    if !isReading {
      isReading = true
      hasReceivedFrame = true
      readAt = .now()
      liveness.received(readAt)
    }
    switch frame.payload {
    case .headers(let headers):
      streams[Int32(frame.streamID)].map { receive(headers, $0) }
    case .data(let data):
      streams[Int32(frame.streamID)].map { receive(data, $0) }
    case .rstStream(let code): streams[Int32(frame.streamID)].map { wasReset($0, code) }
    case .settings(.settings(let settings)): apply(settings)
    case .windowUpdate(let count): windowGrew(of: Int32(frame.streamID), by: count)
    case .goAway(let last, let code, let reason):
      goAway(last: Int32(last), code, reason: reason)
    case .ping, .settings, .priority, .pushPromise, .alternativeService, .origin: break
    }
  }

  /// Applies the settings that limit what is sent (§6.5.2). The framing handler applies the others.
  private func apply(_ settings: HTTP2Settings) {
    for setting in settings {
      switch setting.parameter {
      case .initialWindowSize: sendWindows.initialChanged(to: setting.value)
      case .maxConcurrentStreams: allowedStreams = setting.value
      default: break
      }
    }
    hasSettings = true
    pool.capacityChanged(self, to: allowedStreams)
    haveWindowsGrown = true
  }

  /// Enlarges a window for sending. Streams that wait for a window continue after all frames of the same read have been
  /// handled, because a peer often enlarges several windows at once, or one in small steps.
  private func windowGrew(of number: Int32, by count: Int) {
    if number == 0 {
      sendWindows.growConnection(by: count)
    } else {
      sendWindows.grow(number, by: count)
    }
    haveWindowsGrown = true
  }

  // MARK: Responses

  private func receive(_ headers: HTTP2Frame.FramePayload.Headers, _ stream: HTTP2Stream) {
    let isTrailers = stream.exchange.receiving.sink != nil
    stream.isEnded = headers.endStream
    do throws(ResponseFields.Fault) {
      let fields = try ResponseFields(
        headers.headers, limit: limits.responseHeadSize,
        last: isTrailers ? HTTPFields() : lastFields)
      stream.exchange.noteReceived(fields.size, readAt)
      if !isTrailers {
        lastFields = fields.fields
        try begin(stream, with: try fields.head(), fields.contentLength, isEnd: headers.endStream)
      } else {
        let trailers = try fields.trailers()
        guard headers.endStream else { throw .breaksRules }
        end(stream, trailers: trailers)
      }
    } catch {
      switch error {
      case .breaksRules: resetAsMalformed(stream)
      case .unusable(let error): stream.exchange.fail(error)
      }
    }
  }

  private func begin(
    _ stream: HTTP2Stream, with head: ResponseHead, _ contentLength: Int64?, isEnd: Bool
  ) throws(ResponseFields.Fault) {
    guard head.status.kind != .informational else {
      guard !isEnd else { throw .breaksRules }
      return try interim(head, stream)
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

  /// Handles an interim response. The number of interim responses is limited, and 101 is not allowed (§8.6).
  private func interim(_ head: ResponseHead, _ stream: HTTP2Stream) throws(ResponseFields.Fault) {
    stream.interimResponses += 1
    guard stream.interimResponses <= Exchange.maximumInterimResponses, head.status.code != 101
    else {
      throw .breaksRules
    }
    stream.exchange.receive(interim: head)
  }

  private func receive(_ data: HTTP2Frame.FramePayload.Data, _ stream: HTTP2Stream) {
    guard case .byteBuffer(let bytes) = data.data else { return }
    stream.isEnded = data.endStream
    let exchange = stream.exchange
    exchange.noteReceived(bytes.readableBytes, readAt)
    let come = exchange.receiving.bodyBytes + Int64(bytes.readableBytes)
    if let length = exchange.receiving.bodyLength, come > length { return resetAsMalformed(stream) }
    do throws(MartletError) {
      try exchange.receive(bytes, isLast: data.endStream)
    } catch {
      return exchange.fail(error)
    }
    guard stream.isOpen else { return }
    if data.endStream { return end(stream, trailers: nil) }
    // Padding counts, too (§6.1): the byte with its length, and the padding itself.
    credit(stream, for: bytes.readableBytes + (data.paddingBytes.map { $0 + 1 } ?? 0))
    adjustMark(after: bytes.readableBytes, of: stream)
  }

  /// Handles the end of a response. The length of its body must be as announced (§8.1.1).
  private func end(_ stream: HTTP2Stream, trailers: HTTPFields?) {
    if let length = stream.exchange.receiving.bodyLength,
      stream.exchange.receiving.bodyBytes != length
    {
      return resetAsMalformed(stream)
    }
    stream.exchange.receiveEnd(trailers)
  }
}

/// The receive windows of the streams and of the connection (§6.9).
extension HTTP2Connection {
  /// Updates the windows after bytes have arrived on a stream.
  func credit(_ stream: HTTP2Stream, for count: Int) {
    let growth = stream.window.received(count)
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
    // While frames are being read, the known window is not up to date. The window is refilled after the last frame.
    if !isReading { grow(0, by: budget.refill()) }
  }

  /// Enlarges the receive window of a stream, or of the connection if `number` is 0.
  func grow(_ number: Int32, by count: Int) {
    guard count > 0 else { return }
    write(
      HTTP2Frame(
        streamID: HTTP2StreamID(number), payload: .windowUpdate(windowSizeIncrement: count)))
  }
}

import HTTPTypes
import MartletCore
import NIOCore
import NIOHPACK
import NIOHTTP2

/// The responses' way from the wire.
extension HTTP2Connection {
  func receive(_ frame: HTTP2Frame) {
    if !isReading {
      isReading = true
      hasHeard = true
      liveness.heard(.now())
    }
    switch frame.payload {
    case .headers(let headers):
      streams[Int32(frame.streamID)].map { receive(headers.headers, headers.endStream, $0) }
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

  /// What the peer allows us (§6.5.2); the framing handler applies the rest.
  private func apply(_ settings: HTTP2Settings) {
    for setting in settings {
      switch setting.parameter {
      case .initialWindowSize: sendWindows.initialChanged(to: setting.value)
      case .maxConcurrentStreams: allowedStreams = setting.value
      default: break
      }
    }
    pool.capacityChanged(self, to: allowedStreams)
    sendBlocked()
  }

  private func windowGrew(of number: Int32, by count: Int) {
    guard number != 0 else {
      sendWindows.growConnection(by: count)
      return sendBlocked()
    }
    sendWindows.grow(number, by: count)
    streams[number].map { resumeUpload(of: $0) }
  }

  // MARK: Heads

  private func receive(_ fields: HPACKHeaders, _ isEnd: Bool, _ stream: HTTP2Stream) {
    note(fields, on: stream)
    do throws(MartletError) {
      guard stream.exchange.head == nil else {
        let trailers = try ResponseFields.fields(fields, limit: limits.responseHead)
        return end(stream, trailers: trailers)
      }
      let head = try ResponseFields.head(fields, limit: limits.responseHead)
      guard head.status.kind != .informational else {
        guard !isEnd else { return breakOff(stream) }
        if stream.exchange.informational(head) { startUpload(of: stream) }
        return
      }
      stream.bodyLength = isEnd ? 0 : head.contentLength
      try stream.exchange.begin(
        head, bodyLength: stream.bodyLength, carrier: self, isReused: stream.isReuse)
      if isEnd { end(stream, trailers: nil) }
    } catch {
      reset(stream, .cancel)
      fail(stream, error)
    }
  }

  private func note(_ fields: HPACKHeaders, on stream: HTTP2Stream) {
    let call = stream.exchange.call
    call.noteActivity()
    if !call.clock.hasFirstByte { call.clock.markFirstByte(call.lastActivity) }
    for field in fields {
      stream.exchange.bytesReceived += Int64(field.name.utf8.count + field.value.utf8.count + 4)
    }
  }

  // MARK: Bodies

  private func receive(_ data: HTTP2Frame.FramePayload.Data, _ stream: HTTP2Stream) {
    guard case .byteBuffer(let bytes) = data.data else { return }
    stream.exchange.call.noteActivity()
    stream.exchange.bytesReceived += Int64(bytes.readableBytes)
    stream.bodyBytes += Int64(bytes.readableBytes)
    do throws(MartletError) {
      let hasRoom = try stream.exchange.take(bytes, of: stream.bodyLength)
      if data.endStream { return end(stream, trailers: nil) }
      if case .discard? = stream.exchange.sink, stream.bodyBytes > limits.discardedBody {
        return endEarly(stream)
      }
      if !hasRoom {
        stream.exchange.isSinkFull = true
        pauseChanged(stream)
      }
      // Padding counts, too (§6.1): the byte that says how much there is, and that much.
      credit(stream, for: bytes.readableBytes + (data.paddingBytes.map { $0 + 1 } ?? 0))
    } catch {
      reset(stream, .cancel)
      fail(stream, error)
    }
  }

  func sinkHasRoom(for call: Call) {
    guard let stream = stream(of: call) else { return }
    stream.exchange.isSinkFull = false
    pauseChanged(stream)
  }

  func sinkFailed(_ error: MartletError, for call: Call) {
    guard let stream = stream(of: call) else { return }
    if !stream.exchange.isReceived { reset(stream, .cancel) }
    fail(stream, error)
  }

  // MARK: Ends

  /// A body that nobody wants is longer than it is worth.
  private func endEarly(_ stream: HTTP2Stream) {
    reset(stream, .cancel)
    complete(stream, trailers: nil)
  }

  private func end(_ stream: HTTP2Stream, trailers: HTTPFields?) {
    guard case .file(let file)? = stream.exchange.sink else {
      return complete(stream, trailers: trailers)
    }
    stream.exchange.isReceived = true
    file.finish { [self] in
      if streams[stream.number] === stream { complete(stream, trailers: trailers) }
    }
  }

  private func complete(_ stream: HTTP2Stream, trailers: HTTPFields?) {
    let metrics = stream.exchange.metrics(over: info, isReused: stream.isReuse)
    // The server has answered before it had the whole request: the rest is for nobody (§8.1).
    if !stream.exchange.isRequestSent { reset(stream, .noError) }
    stream.exchange.upload?.cancel()
    forget(stream)
    stream.exchange.complete(trailers: trailers, metrics: metrics)
  }
}

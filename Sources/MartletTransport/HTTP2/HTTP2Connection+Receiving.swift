import HTTPTypes
import MartletCore
import NIOCore
import NIOHTTP2

/// The frames' way from the wire, and the heads' of responses.
extension HTTP2Connection {
  func receive(_ frame: HTTP2Frame) {
    if !isReading {
      isReading = true
      hasHeard = true
      readAt = .now()
      liveness.heard(readAt)
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

  /// What the peer allows us (§6.5.2); the framing handler applies the rest.
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

  /// What waits for windows goes on when all frames that came together have been looked at, because a peer often
  /// enlarges several windows at once, or one in small steps.
  private func windowGrew(of number: Int32, by count: Int) {
    if number == 0 {
      sendWindows.growConnection(by: count)
    } else {
      sendWindows.grow(number, by: count)
    }
    haveWindowsGrown = true
  }

  // MARK: Heads

  private func receive(_ headers: HTTP2Frame.FramePayload.Headers, _ stream: HTTP2Stream) {
    do throws(ResponseFields.Fault) {
      let isTrailers = stream.exchange.head != nil
      let fields = try ResponseFields(
        headers.headers, limit: limits.responseHead, last: isTrailers ? HTTPFields() : lastFields)
      note(fields.size, on: stream)
      if !isTrailers {
        lastFields = fields.fields
        try begin(stream, with: try fields.head(), fields.contentLength, isEnd: headers.endStream)
      } else {
        let trailers = try fields.trailers()
        guard headers.endStream else { throw .breaksRules }
        end(stream, trailers: trailers)
      }
    } catch {
      giveUp(stream, error)
    }
  }

  private func note(_ size: Int, on stream: HTTP2Stream) {
    let call = stream.exchange.call
    call.noteActivity(readAt)
    if !call.clock.hasFirstByte { call.clock.markFirstByte(call.lastActivity) }
    stream.exchange.bytesReceived += Int64(size)
  }

  private func begin(
    _ stream: HTTP2Stream, with head: ResponseHead, _ contentLength: Int64?, isEnd: Bool
  ) throws(ResponseFields.Fault) {
    guard head.status.kind != .informational else {
      guard !isEnd else { throw .breaksRules }
      return try interim(head, stream)
    }
    if stream.exchange.isRefusedExpectation(head) { return beginAgain(stream, isEnd: isEnd) }
    let method = stream.exchange.call.request.method
    let mayHaveBody = method != .head && head.status.code != 204 && head.status.code != 304
    if isEnd, mayHaveBody, contentLength ?? 0 != 0 { throw .breaksRules }
    stream.bodyLength = isEnd || !mayHaveBody ? 0 : contentLength
    do throws(MartletError) {
      try stream.exchange.begin(
        head, bodyLength: stream.bodyLength, carrier: self, isReused: stream.isReuse)
    } catch {
      throw .unusable(error)
    }
    if stream.exchange.undecided.response != nil { due.append(stream) }
    if isEnd { end(stream, trailers: nil) }
  }

  /// So many may come before the final one; 101 means nothing here (§8.6).
  private func interim(_ head: ResponseHead, _ stream: HTTP2Stream) throws(ResponseFields.Fault) {
    stream.interimResponses += 1
    guard stream.interimResponses <= ActiveExchange.mostInterim, head.status.code != 101 else {
      throw .breaksRules
    }
    if stream.exchange.informational(head) { startUpload(of: stream) }
  }

  func giveUp(_ stream: HTTP2Stream, _ fault: ResponseFields.Fault) {
    switch fault {
    case .breaksRules: breakOff(stream)
    case .unusable(let error):
      reset(stream, .cancel)
      fail(stream, error)
    }
  }
}

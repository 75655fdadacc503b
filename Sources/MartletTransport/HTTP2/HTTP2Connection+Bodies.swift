import HTTPTypes
import MartletCore
import NIOCore
import NIOHTTP2

/// The bodies' way from the wire, and the ends of responses.
extension HTTP2Connection {
  // MARK: Bodies

  func receive(_ data: HTTP2Frame.FramePayload.Data, _ stream: HTTP2Stream) {
    guard case .byteBuffer(let bytes) = data.data else { return }
    stream.exchange.call.noteActivity(readAt)
    stream.exchange.bytesReceived += Int64(bytes.readableBytes)
    stream.bodyBytes += Int64(bytes.readableBytes)
    if let length = stream.bodyLength, stream.bodyBytes > length { return breakOff(stream) }
    do throws(MartletError) {
      let hasRoom = try stream.exchange.take(bytes, of: stream.bodyLength)
      if data.endStream { return end(stream, trailers: nil) }
      if stream.exchange.isDiscardedEnough(stream.bodyBytes, limit: limits.discardedBody) {
        return endEarly(stream)
      }
      if !hasRoom {
        stream.exchange.isSinkFull = true
        pauseChanged(stream)
      }
      // Padding counts, too (§6.1): the byte that says how much there is, and that much.
      credit(stream, for: bytes.readableBytes + (data.paddingBytes.map { $0 + 1 } ?? 0))
    } catch {
      giveUp(stream, .unusable(error))
    }
  }

  func sinkHasRoom(for call: Call) {
    loop.assertInEventLoop()
    guard let stream = stream(of: call) else { return }
    stream.exchange.isSinkFull = false
    pauseChanged(stream)
  }

  func sinkFailed(_ error: MartletError, for call: Call) {
    guard let stream = stream(of: call) else { return }
    reset(stream, .cancel)
    fail(stream, error)
  }

  func put(_ choice: Delivery.Choice, for call: Call, _ taker: @escaping BodyStream.Taker) {
    loop.assertInEventLoop()
    guard let stream = stream(of: call) else { return taker(.success(nil)) }
    do throws(MartletError) {
      let hasRoom = try stream.exchange.put(choice, stream.bodyLength, self, taker)
      if let hasRoom {
        stream.exchange.isSinkFull = !hasRoom
        pauseChanged(stream)
      } else {
        taker(.success(nil))
      }
    } catch {
      return giveUp(stream, .unusable(error))
    }
    if let end = stream.exchange.undecided.end.take() {
      self.end(stream, trailers: end.trailers)
    } else if stream.exchange.isDiscardedEnough(stream.bodyBytes, limit: limits.discardedBody) {
      endEarly(stream)
    }
  }

  func bodyAbandoned(for call: Call) {
    guard let stream = stream(of: call),
      stream.exchange.abandonBody(self, isReused: stream.isReuse)
    else { return call.cancel() }
    put(.discard, for: call) { _ in }
  }

  // MARK: Ends

  /// Does without the rest of a discarded body.
  func endEarly(_ stream: HTTP2Stream) {
    reset(stream, .cancel)
    complete(stream, trailers: nil)
  }

  /// All of a response has come; its length must be as announced (§8.1.1).
  func end(_ stream: HTTP2Stream, trailers: HTTPFields?) {
    if let length = stream.bodyLength, stream.bodyBytes != length { return breakOff(stream) }
    guard !stream.exchange.holdsEnd(trailers) else { return }
    guard case .file(let file)? = stream.exchange.sink else {
      return complete(stream, trailers: trailers)
    }
    stream.exchange.markReceived()
    file.finish { [self] in
      if streams[stream.number] === stream { complete(stream, trailers: trailers) }
    }
  }

  func complete(_ stream: HTTP2Stream, trailers: HTTPFields?) {
    let metrics = stream.exchange.metrics(over: info, isReused: stream.isReuse)
    // The server has answered before it had the whole request: the rest is for nobody (§8.1).
    if !stream.exchange.isRequestSent { reset(stream, .noError) }
    stream.exchange.upload?.cancel()
    forget(stream)
    stream.exchange.complete(trailers: trailers, metrics: metrics)
  }
}

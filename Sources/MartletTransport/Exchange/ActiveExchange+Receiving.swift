import HTTPTypes
import MartletCore
import NIOCore

/// What an exchange's sink tells the connection that carries it.
protocol ExchangeCarrier: AnyObject, Sendable {
  var loop: any EventLoop { get }
  var info: ConnectionInfo { get }
  /// There is room for more of the body.
  func sinkHasRoom(for call: Call)
  /// The body cannot be put where it should go.
  func sinkFailed(_ error: MartletError, for call: Call)
}

/// The response's way from the connection to the caller.
extension ActiveExchange {
  /// An interim response has come; whether it asks for the body.
  func informational(_ head: ResponseHead) -> Bool {
    call.clock.forgetFirstByte()
    call.request.exchange?.report(.informational(head))
    return head.status.code == 100
  }

  /// Whether the head says no more than that the server does not support `Expect`. The request is to go out again
  /// without it (RFC 9110 §10.1.1), if its body can be sent again or none of it has left.
  mutating func isRefusedExpectation(_ head: ResponseHead) -> Bool {
    guard head.status.code == 417, call.outgoing.expectsContinueForBody,
      call.request.body.isReplayable || upload?.hasBegun == false
    else { return false }
    call.isExpectationRefused = true
    upload?.cancel()
    continueBy = nil
    discardBody()
    isAskedAgain = true
    return true
  }

  /// The final head has come: decides where the body goes, and answers when that is a stream.
  ///
  /// - Parameters:
  ///   - head: The final head.
  ///   - bodyLength: How many bytes will follow, as far as the head tells.
  ///   - carrier: The connection.
  ///   - isReused: Whether the connection had served an exchange before.
  /// - Throws: `MartletError` when the body cannot go where it should.
  mutating func begin(
    _ head: ResponseHead, bodyLength: Int64?, carrier: any ExchangeCarrier, isReused: Bool
  ) throws(MartletError) {
    self.head = head
    // A server that agrees without a word of leave may still read the body (RFC 9110 §10.1.1).
    if head.status.kind != .successful { continueBy = nil }
    if !call.clock.hasFirstByte { call.clock.markFirstByte(.now()) }
    call.request.exchange?.report(.responded(head))
    do throws(MartletError) {
      switch try call.request.choice(for: head) {
      case .discard: discardBody()
      case .buffer(let limit): sink = .buffer(try BodyBuffer(limit: limit, expected: bodyLength))
      case .file(let delivery): sink = .file(file(PartialFile(delivery), carrier: carrier))
      case .writer(let writer): sink = .file(file(writer, carrier: carrier))
      case .stream:
        let stream = stream(carrier: carrier)
        sink = .stream(stream)
        call.answer(
          Response(
            head: head, to: call.request,
            body: ResponseBody(stream: stream, of: call.request.exchange),
            metrics: metrics(over: carrier.info, isReused: isReused)))
      }
    } catch {
      var error = error
      error.response = head
      throw error
    }
  }

  private func file(_ writer: any BodyWriter, carrier: any ExchangeCarrier) -> FileSink {
    let call = call
    let highWater = carrier.info.isMultiplexed ? FileSink.many : FileSink.few
    return FileSink(writer, loop: carrier.loop, highWater: highWater) { [weak carrier] in
      carrier?.sinkHasRoom(for: call)
    } failed: { [weak carrier] error in
      carrier?.sinkFailed(error, for: call)
    }
  }

  private func stream(carrier: any ExchangeCarrier) -> BodyStream {
    let call = call
    return BodyStream {
      carrier.loop.execute { carrier.sinkHasRoom(for: call) }
    } giveUp: {
      carrier.loop.execute { call.cancel() }
    }
  }

  /// Puts bytes of the body where they go.
  ///
  /// - Returns: Whether there is room for more.
  mutating func take(_ bytes: ByteBuffer, of bodyLength: Int64?) throws(MartletError) -> Bool {
    guard let hasRoom = try sink?.take(bytes) else { return true }
    if case .discard? = sink { return true }
    call.request.exchange?.report(.received(bytes: bytes.readableBytes, total: bodyLength))
    return hasRoom
  }

  /// The exchange is over and went well, or is to be had once more.
  func complete(trailers: HTTPFields?, metrics: Metrics) {
    guard !isAskedAgain else { return call.rewind() }
    guard let head else { return call.failAsLost() }
    // The metrics that a response of this moment has are final.
    let completion = ResponseBody.Completion(trailers: trailers)
    let body: ResponseBody
    switch sink {
    case .stream(let stream):
      call.finish(metrics)
      return stream.finish(
        .success(ResponseBody.Completion(trailers: trailers, metrics: metrics)))
    case .buffer(let buffer): body = ResponseBody(bytes: buffer.bytes, completion: completion)
    case .discard, nil: body = ResponseBody(bytes: ByteBuffer(), completion: completion)
    case .file(let file): body = ResponseBody(file: file.url, completion: completion)
    }
    call.finish(metrics)
    call.answer(
      Response(head: head, to: call.request, body: body, metrics: metrics))
  }
}

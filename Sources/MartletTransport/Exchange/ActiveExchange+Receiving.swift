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
  /// Puts a body for which there was no place where `choice` says; tells `taker` what became of it, or nothing when it
  /// is to be read.
  func put(_ choice: Delivery.Choice, for call: Call, _ taker: @escaping BodyStream.Taker)
  /// Nobody wants the body.
  func bodyAbandoned(for call: Call)
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
      try call.request.check(head)
      switch call.request.delivery.choiceAtOnce(for: head) {
      case nil:
        let stream = stream(carrier, isDecided: false)
        sink = .undecided(stream)
        undecided.response = response(head, stream, carrier, isReused: isReused)
      case .stream:
        let stream = stream(carrier, isDecided: true)
        sink = .stream(stream)
        call.answer(response(head, stream, carrier, isReused: isReused))
      case let choice?: try place(choice, bodyLength, carrier)
      }
    } catch {
      var error = error
      error.response = head
      throw error
    }
  }

  /// Has the body go where `choice` says; a stream, which somebody reads, has its place already.
  mutating func place(
    _ choice: Delivery.Choice, _ bodyLength: Int64?, _ carrier: any ExchangeCarrier
  ) throws(MartletError) {
    switch choice {
    case .stream: break
    case .discard: discardBody()
    case .buffer(let limit): sink = .buffer(try BodyBuffer(limit: limit, expected: bodyLength))
    case .file(let delivery): sink = .file(file(PartialFile(delivery), carrier: carrier))
    case .writer(let writer): sink = .file(file(writer, carrier: carrier))
    }
  }

  private func response(
    _ head: ResponseHead, _ stream: BodyStream, _ carrier: any ExchangeCarrier, isReused: Bool
  ) -> Response {
    Response(
      head: head, to: call.request, body: ResponseBody(stream: stream, of: call.request.exchange),
      metrics: metrics(over: carrier.info, isReused: isReused))
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

  private func stream(_ carrier: any ExchangeCarrier, isDecided: Bool) -> BodyStream {
    let call = call
    return BodyStream(isDecided: isDecided) {
      carrier.loop.execute { carrier.sinkHasRoom(for: call) }
    } giveUp: { isCancelled in
      carrier.loop.execute { isCancelled ? call.cancel() : carrier.bodyAbandoned(for: call) }
    } put: { choice, taker in
      carrier.loop.run { carrier.put(choice, for: call, taker) }
    }
  }

  /// Puts bytes of the body where they go.
  ///
  /// - Returns: Whether there is room for more.
  mutating func take(_ bytes: ByteBuffer, of bodyLength: Int64?) throws(MartletError) -> Bool {
    guard let hasRoom = try sink?.take(bytes) else { return true }
    switch sink {
    case .discard: break
    case .undecided: undecided.bytes += bytes.readableBytes
    default:
      call.request.exchange?.report(.received(bytes: bytes.readableBytes, total: bodyLength))
    }
    return hasRoom
  }

  /// The exchange is over and went well, or is to be had once more.
  mutating func complete(trailers: HTTPFields?, metrics: Metrics) {
    guard !isAskedAgain else { return call.rewind() }
    guard let head else { return call.failAsLost() }
    // The metrics that a response of this moment has are final.
    let isAnswered = undecided.taker != nil
    let completion = ResponseBody.Completion(
      trailers: trailers, metrics: isAnswered ? metrics : nil)
    let body: ResponseBody
    var untold = 0
    switch sink {
    case .undecided(let stream) where undecided.response != nil:
      // It came together with its head.
      untold = tellWhole()
      body = ResponseBody(bytes: stream.takeWhole(), completion: completion)
    case .stream(let stream), .undecided(let stream):
      _ = tellWhole()
      call.finish(metrics)
      return stream.finish(
        .success(ResponseBody.Completion(trailers: trailers, metrics: metrics)))
    case .buffer(let buffer): body = ResponseBody(bytes: buffer.bytes, completion: completion)
    case .discard, nil: body = ResponseBody(discardedWith: completion)
    case .file(let file): body = ResponseBody(file: file.url, completion: completion)
    }
    call.finish(metrics)
    if let taker = undecided.taker { return taker(.success(body)) }
    var response = Response(head: head, to: call.request, body: body, metrics: metrics)
    if untold > 0 { response.untoldBytes = untold }
    call.answer(response)
  }
}

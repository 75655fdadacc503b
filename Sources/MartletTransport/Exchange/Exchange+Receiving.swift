import HTTPTypes
import MartletCore
import NIOCore

/// The response's way in.
extension Exchange {
  /// How many interim responses may come before the final one.
  static let maximumInterimResponses = 32

  // MARK: What the codec tells

  /// Bytes of the response have come.
  func noteReceived(_ bytes: Int, _ now: NIODeadline) {
    receiving.bytes += Int64(bytes)
    clock.markReceived(now)
  }

  /// An interim response has come (RFC 9110 §15.2).
  func receive(interim head: ResponseHead) {
    clock.forgetFirstByte()
    request.call?.report(.informationalResponse(head))
    if head.status.code == 100 { startUpload() }
  }

  /// The final head has come: decides where the body goes, and answers when that is a stream.
  ///
  /// - Parameters:
  ///   - head: The final head.
  ///   - bodyLength: How many bytes will follow, as far as the head tells.
  /// - Throws: `MartletError` when the body cannot go where it should.
  func receive(_ head: ResponseHead, bodyLength: Int64?) throws(MartletError) {
    guard case .running(let codec) = stage else { return }
    receiving.bodyLength = bodyLength
    if isRefusedExpectation(head) { return sendWithoutExpectation(codec) }
    receiving.head = head
    // A success without `100 Continue` before it may still need the body (RFC 9110 §10.1.1).
    if head.status.kind != .successful { sending.continueBy = nil }
    clock.markHead()
    request.call?.report(.responseReceived(head))
    try head.checkIsWhole(for: request)
    try placeBody(of: head, codec)
  }

  /// A head has come after which the connection is the caller's, for another protocol.
  func receive(_ head: ResponseHead, over connection: any ByteStream) {
    guard case .running(let codec) = stage else { return }
    receiving.head = head
    request.call?.report(.responseReceived(head))
    let metrics = metrics(codec)
    let completion = ResponseBody.Completion(trailers: nil, metrics: nil)
    var response = Response(
      head: head, to: request, body: ResponseBody(discardedWith: completion), metrics: metrics)
    response.upgradedConnection = connection
    finish(metrics)
    deliverResponse(response)
  }

  /// Some of the body has come: puts it where it goes.
  ///
  /// - Parameters:
  ///   - bytes: The next of them.
  ///   - isLast: Whether no more will come. The default is that it may.
  /// - Throws: `MartletError` when it cannot go there.
  func receive(_ bytes: ByteBuffer, isLast: Bool = false) throws(MartletError) {
    receiving.bodyBytes += Int64(bytes.readableBytes)
    guard let hasRoom = try receiving.sink?.take(bytes) else { return }
    report(received: bytes.readableBytes)
    guard !isLast, case .running(let codec) = stage else { return }
    if isDiscardedEnough { return endEarly(codec) }
    guard !hasRoom else { return }
    receiving.isSinkFull = true
    pauseChanged(codec)
  }

  /// The response is complete, but for a file that is to be finished or a body that has no place yet.
  func receiveEnd(_ trailers: HTTPFields?) {
    guard !holdEndIfUndecided(trailers), case .running(let codec) = stage else { return }
    guard case .file(let file)? = receiving.sink else { return complete(trailers, codec) }
    markReceived()
    // Keeps the connection alive: the server may close it before the file is done.
    file.finish { [self] in
      if isRunning(on: codec) { complete(trailers, codec) }
    }
  }

  /// All of the body is in.
  func markReceived() {
    receiving.isWhole = true
    sending.continueBy = nil
  }

  // MARK: Requests that go out again

  /// Whether the head says no more than that the server does not support `Expect`. The request is to go out again
  /// without it (RFC 9110 §10.1.1), if its body can be sent again or none of it has left.
  private func isRefusedExpectation(_ head: ResponseHead) -> Bool {
    guard head.status.code == 417, !isExpectationRefused, request.expectsContinueForBody else {
      return false
    }
    return request.body.isReplayable || sending.upload?.hasBegun == false
  }

  private func sendWithoutExpectation(_ codec: any ExchangeCodec) {
    isExpectationRefused = true
    sending.upload?.cancel()
    sending.continueBy = nil
    receiving.discardForRetry()
    // A connection whose request did not leave whole carries no other, and a stream carries no other anyway.
    if !sending.isWhole || codec.info.isMultiplexed { endEarly(codec) }
  }

  // MARK: The end

  var isDiscardedEnough: Bool {
    receiving.isDiscardedEnough(
      limit: pool.configuration.limits.discardedBodySize, isRequestSent: sending.isWhole)
  }

  /// Does without the rest of a discarded body.
  func endEarly(_ codec: any ExchangeCodec) {
    let metrics = metrics(codec)
    sending.upload?.cancel()
    codec.abort(self)
    deliverEnd(nil, metrics)
  }

  /// Frees the connection first, so that it is at work again before the caller is.
  private func complete(_ trailers: HTTPFields?, _ codec: any ExchangeCodec) {
    let metrics = metrics(codec)
    sending.upload?.cancel()
    codec.complete(self)
    deliverEnd(trailers, metrics)
  }

  /// The exchange is over and went well, or its request goes out again.
  private func deliverEnd(_ trailers: HTTPFields?, _ metrics: ExchangeMetrics) {
    guard !receiving.willRetry else { return retry() }
    guard let head = receiving.head else { return failAsLost() }
    let handler = receiving.undecided.deliveryHandler
    // The metrics that a response of this moment has are final.
    let completion = ResponseBody.Completion(
      trailers: trailers, metrics: handler == nil ? nil : metrics)
    let body: ResponseBody
    var unreported = 0
    switch receiving.sink {
    case .undecided(let stream) where receiving.undecided.response != nil:
      // It came together with its head.
      unreported = reportWhole()
      body = ResponseBody(bytes: stream.takeWhole(), completion: completion)
    case .stream(let stream), .undecided(let stream):
      _ = reportWhole()
      finish(metrics)
      return stream.finish(
        .success(ResponseBody.Completion(trailers: trailers, metrics: metrics)))
    case .buffer(let buffer): body = ResponseBody(bytes: buffer.bytes, completion: completion)
    case .discard, nil: body = ResponseBody(discardedWith: completion)
    case .file(let file): body = ResponseBody(file: file.url, completion: completion)
    }
    finish(metrics)
    if let handler { return handler(.success(body)) }
    var response = Response(head: head, to: request, body: body, metrics: metrics)
    if unreported > 0 { response.unreportedBytes = unreported }
    deliverResponse(response)
  }
}

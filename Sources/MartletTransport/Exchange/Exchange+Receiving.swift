import HTTPTypes
import MartletCore
import NIOCore

/// How an exchange receives its response.
extension Exchange {
  // MARK: Called by the codec

  /// Records that bytes of the response have arrived.
  func noteReceived(_ bytes: Int, _ now: NIODeadline) {
    receiving.bytes += Int64(bytes)
    clock.markReceived(now)
  }

  /// Handles an interim response (RFC 9110 §15.2).
  func receive(interim head: ResponseHead) {
    clock.forgetFirstByte()
    request.call?.report(.informationalResponse(head))
    if head.status.code == 100 { startUpload() }
  }

  /// Handles the final head: decides the destination of the body, and delivers the response at once if the body is read
  /// as a stream.
  ///
  /// - Parameters:
  ///   - head: The final head.
  ///   - bodyLength: The length of the body, if the head states it.
  /// - Throws: `MartletError` when the head is not acceptable, or the destination cannot take the body.
  func receive(_ head: ResponseHead, bodyLength: Int64?) throws(MartletError) {
    guard case .running(let codec) = stage else { return }
    receiving.bodyLength = bodyLength
    if isRefusedExpectation(head) { return sendWithoutExpectation(codec) }
    receiving.head = head
    // After a success without a prior `100 Continue`, the server may still need the body (RFC 9110 §10.1.1).
    if head.status.kind != .successful { sending.continueBy = nil }
    clock.markHead(now)
    request.call?.receive(head)
    try head.checkIsWhole(for: request)
    try chooseSink(for: head, codec)
  }

  /// Handles a head after which the connection belongs to the caller, for another protocol.
  func receive(_ head: ResponseHead, over connection: any ByteStream) {
    guard case .running(let codec) = stage else { return }
    receiving.head = head
    request.call?.receive(head)
    let metrics = metrics(codec)
    let completion = ResponseBody.Completion(trailers: nil, metrics: nil)
    var response = Response(
      head: head, to: request, body: ResponseBody(discardedWith: completion), metrics: metrics)
    response.upgradedConnection = connection
    finish(metrics)
    deliverResponse(response)
  }

  /// Passes bytes of the body to their destination.
  ///
  /// - Parameters:
  ///   - bytes: The next bytes.
  ///   - isLast: Whether these are the last bytes. The default is false.
  /// - Throws: `MartletError` when the destination cannot take them.
  func receive(_ bytes: ByteBuffer, isLast: Bool = false) throws(MartletError) {
    receiving.bodyBytes += Int64(bytes.readableBytes)
    guard let hasRoom = try take(bytes) else { return }
    report(received: bytes.readableBytes)
    guard !isLast, case .running(let codec) = stage else { return }
    if isDiscardedEnough { return endEarly(codec) }
    guard !hasRoom else { return }
    receiving.isSinkFull = true
    pauseChanged(codec)
  }

  /// Passes bytes to the body's destination.
  ///
  /// - Returns: Whether there is room for more; `nil` without a destination.
  func take(_ bytes: ByteBuffer) throws(MartletError) -> Bool? {
    // A reader that is resumed may lead back here: `receiving` is not being changed meanwhile.
    switch receiving.sink {
    case nil: return nil
    case .discard?: return true
    case .undecided(let stream)?, .stream(let stream)?: return stream.receive(bytes)
    case .file(let file)?: return file.receive(bytes)
    case .buffer?: break
    }
    try receiving.append(bytes)
    return true
  }

  /// Handles the end of the response. If a file is still being written, or the body's destination is not decided yet,
  /// the exchange ends later.
  func receiveEnd(_ trailers: HTTPFields?) {
    guard !holdEndIfUndecided(trailers), case .running(let codec) = stage else { return }
    guard case .file(let file)? = receiving.sink else { return complete(trailers, codec) }
    markReceived()
    // The closure keeps the connection object alive: the server may close the connection before the file is complete.
    file.finish { [self] in
      if isRunning(on: codec) { complete(trailers, codec) }
    }
  }

  /// Records that the whole body has arrived.
  func markReceived() {
    receiving.isWhole = true
    sending.continueBy = nil
  }

  // MARK: Requests that are sent again

  /// Whether the response only rejects `Expect`, so that the request is sent again without this field (RFC 9110
  /// §10.1.1). The body must be replayable, or its producer must not have been started.
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
    receiving.discardForRetry(now)
    // A connection with an incomplete request cannot carry another request, and a stream never can.
    if !sending.isWhole || codec.info.isMultiplexed { endEarly(codec) }
  }

  // MARK: The end

  var isDiscardedEnough: Bool {
    receiving.isDiscardedEnough(
      limit: pool.configuration.limits.discardedBodySize, isRequestDelivered: checkDelivery())
  }

  /// Ends the exchange without the rest of a discarded body.
  func endEarly(_ codec: any ExchangeCodec) {
    let metrics = metrics(codec)
    sending.upload?.cancel()
    leavePart()
    codec.abort(self)
    deliverEnd(nil, metrics)
  }

  /// Completes the exchange. The connection is freed first, so that it can carry the next exchange before the caller
  /// resumes.
  private func complete(_ trailers: HTTPFields?, _ codec: any ExchangeCodec) {
    let metrics = metrics(codec)
    sending.upload?.cancel()
    leavePart()
    codec.complete(self)
    deliverEnd(trailers, metrics)
  }

  /// Delivers the end of a successful exchange, or sends its request again.
  private func deliverEnd(_ trailers: HTTPFields?, _ metrics: ExchangeMetrics) {
    guard !receiving.willRetry else { return retry() }
    guard let head = receiving.head else { return failAsLost() }
    let handler = receiving.undecided.deliveryHandler
    // A response that is delivered now has the final metrics itself.
    let completion = ResponseBody.Completion(
      trailers: trailers, metrics: handler == nil ? nil : metrics)
    let body: ResponseBody
    var unreported = 0
    switch receiving.sink {
    case .undecided(let stream) where receiving.undecided.response != nil:
      // The whole body arrived together with its head.
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

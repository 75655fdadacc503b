import HTTPTypes
import MartletCore
import NIOCore

/// The destination of the body. The request's delivery decides it when the head arrives, or the pipeline decides it
/// later.
extension Exchange {
  // MARK: When the head arrives

  func chooseSink(for head: ResponseHead, _ codec: any ExchangeCodec) throws(MartletError) {
    switch request.delivery.immediateHandling(for: head) {
    case nil:
      let stream = stream(isDecided: false)
      receiving.sink = .undecided(stream)
      receiving.undecided.response = response(head, stream, codec)
    case .stream:
      let stream = stream(isDecided: true)
      receiving.sink = .stream(stream)
      deliverResponse(response(head, stream, codec))
    case let handling?: try setSink(for: handling, codec)
    }
  }

  /// Sets the sink that `handling` requires. A stream has its sink already.
  private func setSink(for handling: Delivery.BodyHandling, _ codec: any ExchangeCodec)
    throws(MartletError)
  {
    switch handling {
    case .stream: break
    case .discard: receiving.discardBody(now)
    case .buffer(let limit):
      receiving.sink = .buffer(try BodyBuffer(limit: limit, expected: receiving.bodyLength))
    case .file(let delivery): receiving.sink = .file(file(PartialFile(delivery), codec))
    case .writer(let writer): receiving.sink = .file(file(writer, codec))
    }
  }

  private func response(_ head: ResponseHead, _ stream: BodyStream, _ codec: any ExchangeCodec)
    -> Response
  {
    Response(
      head: head, to: request, body: ResponseBody(stream: stream, of: request.call),
      metrics: metrics(codec))
  }

  private func file(_ writer: any ResponseBodyWriter, _ codec: any ExchangeCodec) -> FileSink {
    codec.prepareForFile()
    let highWater =
      codec.info.isMultiplexed ? FileSink.multiplexedHighWater : FileSink.exclusiveHighWater
    return FileSink(writer, on: pool.connector.executor, highWater: highWater) { [weak self] in
      self?.sinkHasRoom()
    } onFailure: { [weak self] error in
      self?.fail(error)
    }
  }

  private func stream(isDecided: Bool) -> BodyStream {
    BodyStream(loop: pool.loop, callers: pool.directory.callers, isDecided: isDecided) {
      [self] in
      pool.loop.execute { self.sinkHasRoom() }
    } cancel: { [self] isCancelled in
      pool.loop.execute { isCancelled ? self.cancel() : self.abandonBody() }
    } deliver: { [self] handling, handler in
      pool.loop.run { self.deliver(handling, handler) }
    }
  }

  // MARK: After the head

  /// Delivers a response that was held back until all bytes that were read with its head have been handled.
  func deliverResponseIfDue() {
    if let response = receiving.undecided.response.take() { deliverResponse(response) }
  }

  /// Holds the end of a body whose destination, such as a file, is not decided yet. If the status is not a success, the
  /// end is not held, because an interceptor may take long to decide about the response.
  ///
  /// - Returns: Whether the end is held.
  func holdEndIfUndecided(_ trailers: HTTPFields?) -> Bool {
    guard case .undecided? = receiving.sink, receiving.head?.status.kind == .successful else {
      return false
    }
    receiving.undecided.end = UndecidedBody.End(
      trailers: trailers, time: now, token: pool.directory.callers?.begin())
    // The response is complete, so the server needs no more of the request.
    sending.upload?.cancel()
    markReceived()
    return true
  }

  /// Delivers an undecided body, or the unread rest of a stream, as `handling` requires.
  ///
  /// - Parameters:
  ///   - handling: How the body is handled.
  ///   - handler: Called with the delivered body, with `nil` if the caller must read the stream instead, or with the
  ///     error of the exchange.
  func deliver(_ handling: Delivery.BodyHandling, _ handler: @escaping BodyStream.DeliveryHandler) {
    pool.loop.assertInEventLoop()
    guard case .running(let codec) = stage else { return handler(.success(nil)) }
    do throws(MartletError) {
      if let hasRoom = try move(to: handling, handler, codec) {
        receiving.isSinkFull = !hasRoom
        pauseChanged(codec)
      } else {
        handler(.success(nil))
      }
    } catch {
      return fail(error)
    }
    if let end = receiving.undecided.end.take() {
      receiveEnd(end.trailers)
    } else if isDiscardedEnough {
      endEarly(codec)
    }
  }

  /// Moves the bytes that have arrived and were not read to the body's destination.
  ///
  /// - Returns: Whether there is room for more; `nil` if the body is read as a stream or already has its destination.
  /// - Throws: `MartletError` when the destination cannot take the body.
  private func move(
    to handling: Delivery.BodyHandling, _ handler: @escaping BodyStream.DeliveryHandler,
    _ codec: any ExchangeCodec
  ) throws(MartletError) -> Bool? {
    let stream: BodyStream
    switch receiving.sink {
    case .undecided(let waiting), .stream(let waiting): stream = waiting
    case .buffer, .discard, .file, nil: return nil
    }
    if case .stream = handling {
      receiving.sink = .stream(stream)
      reportUndecided(of: receiving.bodyLength)
      return nil
    }
    receiving.undecided.deliveryHandler = handler
    let chunks = stream.takeAll()
    try setSink(for: handling, codec)
    var hasRoom = true
    for chunk in chunks { hasRoom = try take(chunk) ?? true }
    if case .discard? = receiving.sink { receiving.undecided.bytes = 0 }
    reportUndecided(of: receiving.bodyLength)
    return hasRoom
  }

  /// Ends an exchange whose body is not needed. An undecided body is discarded, so that the connection can be reused,
  /// if it is complete or the status is not a success. The exchange is then reported as finished at once. Otherwise the
  /// exchange is cancelled.
  private func abandonBody() {
    guard case .running(let codec) = stage else { return }
    guard case .undecided? = receiving.sink,
      receiving.undecided.end != nil || receiving.head?.status.kind != .successful
    else { return cancel() }
    reportEnd(metrics(codec))
    isSuspended = false
    deliver(.discard) { _ in }
  }

  /// Releases the sink of a body that has failed.
  ///
  /// - Returns: For a file, a future that completes when the file's writer has released its buffers, or after
  ///   `FileSink.releaseTimeout`. The failure is held back until then. `nil` for any other destination.
  func dropBody(_ error: MartletError) -> EventLoopFuture<Void>? {
    let handler = receiving.undecided.deliveryHandler
    // Called after the events of the exchange.
    let failHandler = { [pool] in
      if let handler { pool.loop.execute { handler(.failure(error)) } }
    }
    switch receiving.sink {
    case .stream(let stream):
      stream.finish(.failure(error))
      failHandler()
    case .undecided(let stream):
      // The response is delivered nevertheless, because an interceptor may not need its body.
      deliverResponseIfDue()
      stream.finish(.failure(error))
      failHandler()
    case .file(let file):
      let release = file.abandon()
      release.assumeIsolated().whenComplete { _ in failHandler() }
      return release
    case .buffer, .discard, nil: failHandler()
    }
    return nil
  }

  // MARK: Back-pressure

  private func sinkHasRoom() {
    pool.loop.assertInEventLoop()
    guard case .running(let codec) = stage else { return }
    receiving.isSinkFull = false
    pauseChanged(codec)
  }

  /// Pauses or resumes receiving after the call was suspended or resumed, or the sink became full or has room again.
  func pauseChanged(_ codec: any ExchangeCodec) {
    clock.setPaused(isPaused, now)
    codec.setPaused(isPaused)
  }

  // MARK: Progress

  /// Reports received bytes of the body as progress. Bytes of an undecided body are reported later, and bytes of a
  /// discarded body are not reported.
  func report(received bytes: Int) {
    switch receiving.sink {
    case .discard, nil: break
    case .undecided: receiving.undecided.bytes += bytes
    case .buffer, .stream, .file:
      request.call?.report(.bodyReceived(bytes: bytes, total: receiving.bodyLength))
    }
  }

  /// Reports a body that is complete before its destination is decided.
  ///
  /// - Returns: How many bytes were not reported. The body of a redirect or of a 401 is not reported, because the
  ///   caller usually gets another response.
  func reportWhole() -> Int {
    let kind = receiving.head?.status.kind
    let isOnTheWay = kind == .redirection || receiving.head?.status == .unauthorized
    if !isOnTheWay { reportUndecided(of: Int64(receiving.undecided.bytes)) }
    return receiving.undecided.bytes
  }

  private func reportUndecided(of bodyLength: Int64?) {
    let bytes = receiving.undecided.bytes
    guard bytes > 0 else { return }
    receiving.undecided.bytes = 0
    request.call?.report(.bodyReceived(bytes: bytes, total: bodyLength))
  }
}

import HTTPTypes
import MartletCore
import NIOCore

/// Where the body goes: decided by the request's delivery when the head comes, or later by the pipeline.
extension Exchange {
  // MARK: When the head comes

  func placeBody(of head: ResponseHead, _ codec: any ExchangeCodec) throws(MartletError) {
    switch request.delivery.immediateHandling(for: head) {
    case nil:
      let stream = stream(isDecided: false)
      receiving.sink = .undecided(stream)
      receiving.undecided.response = response(head, stream, codec)
    case .stream:
      let stream = stream(isDecided: true)
      receiving.sink = .stream(stream)
      deliverResponse(response(head, stream, codec))
    case let handling?: try place(handling, codec)
    }
  }

  /// Has the body go where `handling` wants it. A stream has its place already.
  private func place(_ handling: Delivery.BodyHandling, _ codec: any ExchangeCodec)
    throws(MartletError)
  {
    switch handling {
    case .stream: break
    case .discard: receiving.discardBody()
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
    return FileSink(writer, loop: pool.loop, highWater: highWater) { [weak self] in
      self?.sinkHasRoom()
    } failed: { [weak self] error in
      self?.fail(error)
    }
  }

  private func stream(isDecided: Bool) -> BodyStream {
    BodyStream(isDecided: isDecided) { [self] in
      pool.loop.execute { self.sinkHasRoom() }
    } cancel: { [self] isCancelled in
      pool.loop.execute { isCancelled ? self.cancel() : self.abandonBody() }
    } deliver: { [self] handling, handler in
      pool.loop.run { self.deliver(handling, handler) }
    }
  }

  // MARK: Later

  /// Answers the caller, once all that was read together with the head has been handled.
  func deliverResponseIfDue() {
    if let response = receiving.undecided.response.take() { deliverResponse(response) }
  }

  /// Holds the end of a body that still waits for a place, such as a file. That of an error does not wait, because an
  /// interceptor may take long to decide about it.
  ///
  /// - Returns: Whether the end is held.
  func holdEndIfUndecided(_ trailers: HTTPFields?) -> Bool {
    guard case .undecided? = receiving.sink, receiving.head?.status.kind == .successful else {
      return false
    }
    receiving.undecided.end = UndecidedBody.End(trailers: trailers)
    // The server has answered before it had the whole request, and needs no more of it.
    sending.upload?.cancel()
    markReceived()
    return true
  }

  /// Delivers an undecided body as `handling` says. Completes `handler` with the body, or with `nil` when it is to be
  /// read.
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

  /// Moves what has come of the body, and was not read, to its place.
  ///
  /// - Returns: Whether there is room for more; `nil` when the body is to be read.
  /// - Throws: `MartletError` when it cannot go there.
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
    try place(handling, codec)
    var hasRoom = true
    for chunk in chunks { hasRoom = try receiving.sink?.take(chunk) ?? true }
    if case .discard? = receiving.sink { receiving.undecided.bytes = 0 }
    reportUndecided(of: receiving.bodyLength)
    return hasRoom
  }

  /// The body is not needed. If it is that of an error, or has come whole, it is discarded to keep the connection, and
  /// the exchange is reported as finished at once.
  private func abandonBody() {
    guard case .running(let codec) = stage else { return }
    guard case .undecided? = receiving.sink,
      receiving.undecided.end != nil || receiving.head?.status.kind != .successful
    else { return cancel() }
    reportEnd(metrics(codec))
    isSuspended = false
    deliver(.discard) { _ in }
  }

  /// The body has failed: releases its sink.
  ///
  /// - Returns: What completes when a file's writer has released its buffers; the failure is held back until then.
  func dropBody(_ error: MartletError) -> EventLoopFuture<Void>? {
    let handler = receiving.undecided.deliveryHandler
    // Behind the events of the exchange.
    let failHandler = { [pool] in
      if let handler { pool.loop.execute { handler(.failure(error)) } }
    }
    switch receiving.sink {
    case .stream(let stream):
      stream.finish(.failure(error))
      failHandler()
    case .undecided(let stream):
      // An interceptor may do without the body.
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

  // MARK: Room

  private func sinkHasRoom() {
    pool.loop.assertInEventLoop()
    guard case .running(let codec) = stage else { return }
    receiving.isSinkFull = false
    pauseChanged(codec)
  }

  /// The call was suspended or resumed, or the sink is full or has room.
  func pauseChanged(_ codec: any ExchangeCodec) {
    clock.setPaused(isPaused)
    codec.setPaused(isPaused)
  }

  // MARK: Progress

  /// Some of the body has come: that is progress once it has a place, unless it is discarded.
  func report(received bytes: Int) {
    switch receiving.sink {
    case .discard, nil: break
    case .undecided: receiving.undecided.bytes += bytes
    case .buffer, .stream, .file:
      request.call?.report(.bodyReceived(bytes: bytes, total: receiving.bodyLength))
    }
  }

  /// Reports a body that is whole before it has a place.
  ///
  /// - Returns: How much was not reported: the body of a redirect, or of a refusal, is no progress, for as a rule the
  ///   caller gets another.
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

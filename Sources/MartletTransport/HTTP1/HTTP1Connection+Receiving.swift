import HTTPTypes
import MartletCore
import NIOCore

/// The response's way from the wire.
extension HTTP1Connection {
  func receive(_ bytes: ByteBuffer) {
    guard let call = exchange?.call else {
      // No request is outstanding: whatever this is, it must not be taken for the next answer (RFC 9112 §9.2).
      if !hasServed { refuse(bytes) }
      return closeForGood()
    }
    // The last byte is in, and only a file is being finished: this is nobody's answer either.
    guard exchange?.isReceived == false else { return closeForGood() }
    exchange?.bytesReceived += Int64(bytes.readableBytes)
    call.noteActivity()
    if !call.clock.hasFirstByte { call.clock.markFirstByte(call.lastActivity) }
    parser.append(bytes)
    do throws(MartletError) {
      while exchange?.call === call, let part = try parser.next() { try handle(part) }
      if exchange?.call === call { exchange?.answerIfDue() }
    } catch {
      fail(forwarder?.explained(error) ?? error)
    }
  }

  private func refuse(_ bytes: ByteBuffer) {
    let beginning = String(decoding: bytes.readableBytesView.prefix(1024), as: UTF8.self)
    refusal = .unsolicited(beginning, pool.origin, through: info.proxy)
  }

  /// A farewell would leave the connection open for a while, and good for another call by its looks.
  private func closeForGood() {
    pool.retire(self)
    context?.closeAtOnce()
  }

  func handle(_ part: ResponseParser.Part) throws(MartletError) {
    switch part {
    case .informational(let head):
      if exchange?.informational(head) == true { startUpload() }
    case .head(let head):
      if forwarder != nil, try isAskedWho(head) { return }
      if exchange?.isRefusedExpectation(head) == true {
        // A connection whose request did not leave whole carries no other.
        return exchange?.isRequestSent == true ? () : endEarly()
      }
      try exchange?.begin(
        head, bodyLength: parser.bodyLength, carrier: self, isReused: isReused)
      if case .file? = exchange?.sink { ReadBuffers.many.take(in: context) }
    case .body(let bytes): try take(bytes)
    case .end(let trailers): end(trailers)
    }
  }

  // MARK: Body

  private func take(_ bytes: ByteBuffer) throws(MartletError) {
    guard let hasRoom = try exchange?.take(bytes, of: parser.bodyLength) else { return }
    adjustMark(after: bytes)
    if exchange?.isDiscardedEnough(parser.bodyBytes, limit: limits.discardedBody) == true {
      return endEarly()
    }
    guard !hasRoom else { return }
    exchange?.isSinkFull = true
    pauseChanged()
  }

  func sinkHasRoom(for call: Call) {
    loop.assertInEventLoop()
    guard exchange?.call === call else { return }
    exchange?.isSinkFull = false
    pauseChanged()
  }

  func sinkFailed(_ error: MartletError, for call: Call) {
    if exchange?.call === call { fail(error) }
  }

  func put(_ choice: Delivery.Choice, for call: Call, _ taker: @escaping BodyStream.Taker) {
    loop.assertInEventLoop()
    guard exchange?.call === call else { return taker(.success(nil)) }
    do throws(MartletError) {
      let hasRoom = try exchange?.put(choice, parser.bodyLength, self, taker)
      if case .file? = exchange?.sink { ReadBuffers.many.take(in: context) }
      if let hasRoom {
        exchange?.isSinkFull = !hasRoom
        pauseChanged()
      } else {
        taker(.success(nil))
      }
    } catch {
      return fail(error)
    }
    if let end = exchange?.undecided.end.take() {
      self.end(end.trailers)
    } else if exchange?.isDiscardedEnough(parser.bodyBytes, limit: limits.discardedBody) == true {
      endEarly()
    }
  }

  func bodyAbandoned(for call: Call) {
    guard exchange?.call === call, exchange?.abandonBody(self, isReused: isReused) == true else {
      return call.cancel()
    }
    put(.discard, for: call) { _ in }
  }

  // MARK: End

  /// Does without the rest of a discarded body, and without the connection.
  func endEarly() {
    guard var exchange else { return }
    self.exchange = nil
    exchange.upload?.cancel()
    exchange.complete(trailers: nil, metrics: metrics(of: exchange))
    context?.closeAtOnce()
  }

  private func end(_ trailers: HTTPFields?) {
    guard exchange?.holdsEnd(trailers) != true else { return }
    guard case .file(let file)? = exchange?.sink, let call = exchange?.call else {
      return release(trailers)
    }
    exchange?.markReceived()
    // Keeps the connection alive: the server may close it before the file is done.
    file.finish { [self] in
      if exchange?.call === call { release(trailers) }
    }
  }

  /// Frees the connection first, so that it is at work again before the caller is.
  private func release(_ trailers: HTTPFields?) {
    guard var exchange else { return }
    let metrics = metrics(of: exchange)
    self.exchange = nil
    exchange.upload?.cancel()
    if case .file? = exchange.sink { ReadBuffers.few.take(in: context) }
    resumeReading()
    let isReusable =
      exchange.isRequestSent && parser.isPersistent && !parser.hasSurplus && isActive
      && !exchange.call.request.asksToClose
    if isReusable { pool.released(self) } else { close() }
    exchange.complete(trailers: trailers, metrics: metrics)
  }

  private func metrics(of exchange: ActiveExchange) -> Metrics {
    exchange.metrics(over: info, isReused: isReused)
  }
}

extension Request {
  /// Whether the caller wants the connection closed afterwards (RFC 9112 §9.6).
  fileprivate var asksToClose: Bool {
    FramingFields(headers).hasConnectionOption("close")
  }
}

import HTTPTypes
import MartletCore
import NIOCore

/// The response's way from the wire.
extension HTTP1Connection {
  func receive(_ bytes: ByteBuffer) {
    guard let call = exchange?.call else {
      // Nobody asked for anything: whatever this is, it must not be taken for the next answer.
      return close()
    }
    // The last byte is in, and only a file is being finished: this is nobody's answer either.
    guard exchange?.isReceived == false else { return close() }
    exchange?.bytesReceived += Int64(bytes.readableBytes)
    call.noteActivity()
    if !call.clock.hasFirstByte { call.clock.markFirstByte(.now()) }
    parser.append(bytes)
    do throws(MartletError) {
      while exchange?.call === call, let part = try parser.next() { try handle(part) }
    } catch {
      fail(error)
    }
  }

  func handle(_ part: ResponseParser.Part) throws(MartletError) {
    switch part {
    case .informational(let head): informational(head)
    case .head(let head): try begin(head)
    case .body(let bytes): try take(bytes)
    case .end(let trailers): end(trailers)
    }
  }

  private func informational(_ head: ResponseHead) {
    exchange?.call.clock.forgetFirstByte()
    exchange?.call.request.exchange?.report(.informational(head))
    if head.status.code == 100 { startUpload() }
  }

  // MARK: Head

  private func begin(_ head: ResponseHead) throws(MartletError) {
    guard let call = exchange?.call else { return }
    exchange?.head = head
    exchange?.continueBy = nil
    if !call.clock.hasFirstByte { call.clock.markFirstByte(.now()) }
    call.request.exchange?.report(.responded(head))
    let choice = call.request.delivery.choice(for: head)
    do throws(MartletError) {
      let sink = try sink(for: choice, head: head, call: call)
      exchange?.sink = sink
    } catch {
      var error = error
      error.response = head
      throw error
    }
  }

  private func sink(for choice: Delivery.Choice, head: ResponseHead, call: Call)
    throws(MartletError) -> BodySink
  {
    switch choice {
    case .discard: return .discard
    case .buffer(let limit):
      return .buffer(try BodyBuffer(limit: limit, expected: parser.bodyLength))
    case .stream:
      let stream = stream(for: call)
      call.answer(
        Response(
          head: head, url: call.request.url, body: ResponseBody(stream: stream), metrics: metrics())
      )
      return .stream(stream)
    case .file(let delivery):
      return .file(
        FileSink(delivery, loop: pool.loop) { [weak self] in
          self?.sinkHasRoom(for: call)
        } failed: { [weak self] error in
          if self?.exchange?.call === call { self?.fail(error) }
        })
    }
  }

  private func stream(for call: Call) -> BodyStream {
    let loop = pool.loop
    return BodyStream {
      loop.execute { self.sinkHasRoom(for: call) }
    } giveUp: {
      loop.execute { call.cancel() }
    }
  }

  private func sinkHasRoom(for call: Call) {
    guard exchange?.call === call else { return }
    exchange?.isSinkFull = false
    pauseChanged()
  }

  // MARK: Body

  private func take(_ bytes: ByteBuffer) throws(MartletError) {
    guard let call = exchange?.call, let hasRoom = try exchange?.sink?.take(bytes) else { return }
    if case .discard? = exchange?.sink {
      return parser.bodyBytes > limits.discardedBody ? endEarly() : ()
    }
    noteRoom(hasRoom)
    call.request.exchange?.report(
      .received(bytes: bytes.readableBytes, total: parser.bodyLength))
  }

  private func noteRoom(_ hasRoom: Bool) {
    guard !hasRoom else { return }
    exchange?.isSinkFull = true
    pauseChanged()
  }

  // MARK: End

  /// A body that nobody wants is longer than its connection is worth.
  private func endEarly() {
    guard let exchange else { return }
    self.exchange = nil
    exchange.upload?.cancel()
    complete(exchange, trailers: nil)
    closeAtOnce()
  }

  private func end(_ trailers: HTTPFields?) {
    guard case .file(let file)? = exchange?.sink, let call = exchange?.call else {
      return release(trailers)
    }
    exchange?.isReceived = true
    // Keeps the connection alive: the server may close it before the file is done.
    file.finish { [self] in
      if exchange?.call === call { release(trailers) }
    }
  }

  /// Frees the connection first, so that it is at work again before the caller is.
  private func release(_ trailers: HTTPFields?) {
    guard let exchange else { return }
    let metrics = metrics()
    self.exchange = nil
    exchange.upload?.cancel()
    resumeReading()
    let isReusable =
      exchange.isRequestSent && parser.isPersistent && !parser.hasSurplus && isActive
      && !exchange.call.request.asksToClose
    if isReusable { pool.released(self) } else { close() }
    complete(exchange, trailers: trailers, metrics: metrics)
  }

  private func complete(
    _ exchange: HTTP1Exchange, trailers: HTTPFields?, metrics: Metrics? = nil
  ) {
    let call = exchange.call
    let metrics = metrics ?? self.metrics(of: exchange)
    let completion = ResponseBody.Completion(trailers: trailers, metrics: metrics)
    let body: ResponseBody
    switch exchange.sink {
    case .stream(let stream):
      call.finish(metrics)
      return stream.finish(.success(completion))
    case .buffer(let buffer): body = ResponseBody(bytes: buffer.bytes, completion: completion)
    case .discard, nil: body = ResponseBody(bytes: ByteBuffer(), completion: completion)
    case .file(let file): body = ResponseBody(file: file.url, completion: completion)
    }
    call.finish(metrics)
    guard let head = exchange.head else { return }
    call.answer(Response(head: head, url: call.request.url, body: body, metrics: metrics))
  }

  private func metrics() -> Metrics {
    exchange.map { metrics(of: $0) } ?? Metrics()
  }

  private func metrics(of exchange: HTTP1Exchange) -> Metrics {
    exchange.call.clock.metrics(
      now: .now(), connection: info, isReused: isReused, bytesSent: exchange.bytesSent,
      bytesReceived: exchange.bytesReceived)
  }
}

extension Request {
  /// Whether the caller wants the connection closed afterwards (RFC 9112 §9.6).
  fileprivate var asksToClose: Bool {
    headers[.connection]?.lowercased().contains("close") ?? false
  }
}

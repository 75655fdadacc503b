import MartletCore
import NIOCore

/// How an HTTP/1.1 connection receives responses.
extension HTTP1Connection {
  func receive(_ bytes: ByteBuffer) {
    guard let exchange else {
      // No request is outstanding, so these bytes must not be taken for the next response (RFC 9112 §9.2).
      if !hasServed { refuse(bytes) }
      return retireAndClose()
    }
    // The whole response has arrived, and only its delivery is unfinished: these bytes belong to no request either.
    guard !exchange.receiving.isWhole else { return retireAndClose() }
    exchange.noteReceived(bytes.readableBytes, pool.now)
    parser.append(bytes)
    do throws(MartletError) {
      while carries(exchange), let part = try parser.next() { try handle(part, exchange) }
      if carries(exchange) { exchange.deliverResponseIfDue() }
    } catch {
      exchange.fail(forwardProxy?.explained(error, beginsAsHTTP: parser.beginsAsHTTP) ?? error)
    }
  }

  private func refuse(_ bytes: ByteBuffer) {
    let beginning = String(decoding: bytes.readableBytesView.prefix(1024), as: UTF8.self)
    setupError = .unsolicited(beginning, pool.origin, through: info.proxy)
  }

  /// Retires the connection and closes it without the TLS close handshake. During the handshake, the connection would
  /// stay open for a while and seem usable for another exchange.
  private func retireAndClose() {
    pool.retire(self)
    context?.closeAtOnce()
  }

  func handle(_ part: ResponseParser.Part, _ exchange: Exchange) throws(MartletError) {
    switch part {
    case .informational(let head): exchange.receive(interim: head)
    case .head(let head):
      if try answerProxyChallenge(head, exchange) { return }
      try exchange.receive(head, bodyLength: parser.bodyLength)
    case .switched(let head): try upgrade(head, exchange)
    case .body(let bytes):
      try exchange.receive(bytes)
      adjustMark(after: bytes)
    case .end(let trailers): exchange.receiveEnd(trailers)
    }
  }

  func prepareForFile() { use(.forFiles) }

  /// Makes the channel read into these buffers.
  func use(_ buffers: ReadBuffers) {
    guard buffers != readBuffers else { return }
    readBuffers = buffers
    buffers.apply(to: context)
  }

  // MARK: How much is read at once

  /// Adjusts the low-water mark after bytes of a body have arrived.
  private func adjustMark(after bytes: ByteBuffer) {
    guard let length = parser.bodyLength, let now = exchange?.clock.lastActivity else { return }
    let rest = length - parser.bodyBytes
    if let mark = receiveLowWaterMark.received(bytes.readableBytes, rest: rest, at: now) {
      set(mark)
    }
  }

  /// Adjusts the low-water mark after some time has passed.
  func adjustMark(_ now: NIODeadline) {
    guard exchange?.isPaused == false, let mark = receiveLowWaterMark.waited(until: now) else {
      return
    }
    set(mark)
  }

  private func set(_ mark: Int) {
    ReceiveLowWaterMark.set(mark, on: channel)
    if case .file? = exchange?.receiving.sink { return }
    use(mark == ReceiveLowWaterMark.Level.veryFast.mark ? .forVeryFastBodies : .standard)
  }
}

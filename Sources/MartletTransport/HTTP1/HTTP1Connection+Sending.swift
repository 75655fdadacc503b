import MartletCore
import NIOCore

/// The request's way to the wire.
extension HTTP1Connection {
  /// A buffer larger than this is not kept for the next head.
  private static let usualHead = 8 << 10

  func send(_ request: Request, context: ChannelHandlerContext) {
    let body = request.body
    let isSmall = body.length.map { $0 <= ActiveExchange.smallBody } ?? false
    if headBuffer.capacity > Self.usualHead { headBuffer = ByteBuffer() }
    headBuffer.clear(minimumCapacity: 512)
    RequestHeadEncoder.encode(request, authority: authority, into: &headBuffer)
    request.exchange?.report(.sending(request, isConnectionReused: isReused))

    if case .bytes(let bytes) = body.source, isSmall, !request.options.expectsContinue {
      headBuffer.writeImmutableBuffer(bytes)
      write(headBuffer, bodyBytes: bytes.readableBytes, context: context)
      exchange?.markSent()
    } else if body.isEmpty {
      write(headBuffer, bodyBytes: 0, context: context)
      exchange?.markSent()
    } else {
      prepareUpload(of: request, context: context)
      write(headBuffer, bodyBytes: 0, context: context)
      guard request.options.expectsContinue else { return startUpload() }
      exchange?.continueBy = .now() + ActiveExchange.patience
    }
  }

  /// Begins with the body, unless that has happened already.
  func startUpload() {
    exchange?.continueBy = nil
    exchange?.upload?.start()
  }

  /// There may be room for another chunk.
  func resumeUpload() {
    guard exchange?.isSuspended == false else { return }
    exchange?.upload?.goOn()
  }

  private func prepareUpload(of request: Request, context: ChannelHandlerContext) {
    let isChunked = RequestHeadEncoder.framing(of: request) == .chunked
    exchange?.upload = BodyUpload(request.body, loop: pool.loop) { [weak self] chunk in
      self?.send(chunk, isChunked: isChunked) ?? true
    } finished: { [weak self] result in
      self?.uploadFinished(result, isChunked: isChunked)
    }
  }

  /// Whether there is room for another chunk.
  private func send(_ chunk: ByteBuffer, isChunked: Bool) -> Bool {
    guard let context else { return true }
    let allocator = context.channel.allocator
    let parts = isChunked ? ChunkEncoder.parts(of: chunk, allocator: allocator) : [chunk]
    for part in parts.dropLast() {
      exchange?.bytesSent += Int64(part.readableBytes)
      context.write(wrapOutboundOut(part), promise: nil)
    }
    if let last = parts.last { write(last, bodyBytes: chunk.readableBytes, context: context) }
    return context.channel.isWritable && exchange?.isSuspended == false
  }

  private func uploadFinished(_ result: Result<Void, MartletError>, isChunked: Bool) {
    switch result {
    case .failure(let error): fail(error)
    case .success:
      if isChunked, let context {
        write(ChunkEncoder.end, bodyBytes: 0, context: context)
      }
      exchange?.markSent()
    }
  }

  /// Writes and flushes; what of it is body counts as sent when it has left.
  private func write(_ buffer: ByteBuffer, bodyBytes: Int, context: ChannelHandlerContext) {
    exchange?.bytesSent += Int64(buffer.readableBytes)
    guard bodyBytes > 0, let call = exchange?.call else {
      context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
      return
    }
    let written = context.eventLoop.makePromise(of: Void.self)
    written.futureResult.assumeIsolated().whenSuccess {
      call.noteActivity()
      call.request.exchange?.report(.bodySent(bytes: bodyBytes, total: call.request.body.length))
    }
    context.writeAndFlush(wrapOutboundOut(buffer), promise: written)
  }

}

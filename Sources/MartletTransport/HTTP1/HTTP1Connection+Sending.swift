import MartletCore
import NIOCore

/// The request's way to the wire.
extension HTTP1Connection {
  /// A buffer larger than this is not kept for the next head.
  private static let usualHead = 8 << 10

  func send(_ request: Request, context: ChannelHandlerContext) {
    let isTunnelled = info.proxy != nil && forwarder == nil
    let request = isTunnelled ? request.behindTunnel : request
    if headBuffer.capacity > Self.usualHead { headBuffer = ByteBuffer() }
    headBuffer.clear(minimumCapacity: 512)
    RequestHeadEncoder.encode(
      request, authority: authority, forwarding: forwarder?.forwarding(request),
      into: &headBuffer)
    request.exchange?.report(.sending(request, over: info, isConnectionReused: isReused))

    let small = smallBody(of: request)
    if let small { headBuffer.writeImmutableBuffer(small) }
    write(headBuffer, bodyBytes: small?.readableBytes ?? 0, context: context)
    context.flush()
    guard small == nil, !request.body.isEmpty else { return exchange?.markSent() ?? () }
    context.channel.boundUnsentBytes()
    prepareUpload(of: request, context: context)
    guard request.expectsContinueForBody else { return startUpload() }
    exchange?.continueBy = .now() + ActiveExchange.patience
  }

  /// A body that leaves in one write with its head.
  private func smallBody(of request: Request) -> ByteBuffer? {
    guard case .bytes(let bytes) = request.body.source, !request.expectsContinueForBody,
      bytes.readableBytes <= ActiveExchange.smallBody
    else { return nil }
    return bytes
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
    if isChunked {
      let parts = ChunkEncoder.parts(of: chunk, allocator: context.channel.allocator)
      writeChunk(parts, bodyBytes: chunk.readableBytes, context)
    } else {
      writeSlices(of: chunk, context)
    }
    context.flush()
    return context.channel.isWritable && exchange?.isSuspended == false
  }

  private func uploadFinished(_ result: Result<Void, MartletError>, isChunked: Bool) {
    switch result {
    case .failure(let error): fail(error)
    case .success:
      if isChunked, let context {
        write(ChunkEncoder.end, bodyBytes: 0, context: context)
        context.flush()
      }
      exchange?.markSent()
    }
  }

  /// A small chunk is one part; of a large one the size, the bytes and the end of the line are parts.
  private func writeChunk(_ parts: [ByteBuffer], bodyBytes: Int, _ context: ChannelHandlerContext) {
    guard parts.count > 1 else {
      return parts.forEach { write($0, bodyBytes: bodyBytes, context: context) }
    }
    for (index, part) in parts.enumerated() {
      index == 1 ? writeSlices(of: part, context) : write(part, bodyBytes: 0, context: context)
    }
  }

  private func writeSlices(of chunk: ByteBuffer, _ context: ChannelHandlerContext) {
    var rest = chunk
    while let slice = rest.readSlice(length: min(rest.readableBytes, BodyChunks.slice)),
      slice.readableBytes > 0
    {
      write(slice, bodyBytes: slice.readableBytes, context: context)
    }
  }

  /// What of the bytes is body counts as sent when it has left.
  private func write(_ buffer: ByteBuffer, bodyBytes: Int, context: ChannelHandlerContext) {
    exchange?.bytesSent += Int64(buffer.readableBytes)
    guard bodyBytes > 0, let call = exchange?.call else {
      return context.write(wrapOutboundOut(buffer), promise: nil)
    }
    let written = context.eventLoop.makePromise(of: Void.self)
    written.futureResult.assumeIsolated().whenSuccess { [self] in
      call.noteWritten(.now())
      sendProgress.wrote(call.lastActivity)
      call.request.exchange?.report(.bodySent(bytes: bodyBytes, total: call.request.body.length))
    }
    context.write(wrapOutboundOut(buffer), promise: written)
  }
}

import HTTPTypes
import MartletCore
import NIOCore

/// How an HTTP/1.1 connection sends requests.
extension HTTP1Connection {
  /// A buffer of more bytes than this is not kept for the next head.
  private static let maximumKeptHeadSize = 8 << 10

  func send(_ request: Request, small body: ByteBuffer?) {
    guard let context, context.channel.isActive else { return connectionEnded() }
    if request.method.requestsTunnel, let forwardProxy {
      return refuseTunnel(through: forwardProxy)
    }
    if headBuffer.capacity > Self.maximumKeptHeadSize { headBuffer = ByteBuffer() }
    headBuffer.clear(minimumCapacity: 512)
    RequestHeadEncoder.encode(
      request, authority: authority, forwarding: forwardProxy?.forwarding(request),
      into: &headBuffer)
    request.call?.beginSending(request, over: info, isConnectionReused: isReused)

    if let body { headBuffer.writeImmutableBuffer(body) }
    let exchange = exchange
    write(headBuffer, bodyBytes: body?.readableBytes ?? 0, context)
    context.flush()
    // The write may have found the connection closed.
    guard let exchange, carries(exchange), body != nil || !request.hasContent else { return }
    exchange.markSent()
  }

  /// Fails a CONNECT request, which cannot go through a forwarding proxy, without a retry. Nothing has been sent, so
  /// the connection is free for another exchange.
  private func refuseTunnel(through forwardProxy: ForwardProxy) {
    let exchange = exchange.take()
    exchange?.end(.connectNotForwarded(forwardProxy.access.name))
    pool.released(self)
  }

  func prepareForUpload() { channel?.limitUnsentBytes(to: unsentLimit.begin()) }

  func send(_ chunk: ByteBuffer) -> Bool {
    guard let context, let exchange else { return true }
    if let bodyLeft = exchange.sending.bodyLeft {
      exchange.sending.bodyLeft = bodyLeft - Int64(chunk.readableBytes)
      writeSlices(of: chunk, context)
    } else {
      let parts = ChunkEncoder.parts(of: chunk, allocator: context.channel.allocator)
      writeChunk(parts, bodyBytes: chunk.readableBytes, context)
    }
    context.flush()
    // The body is complete, although its producer may not have returned yet.
    if exchange.sending.bodyLeft == 0, carries(exchange) { exchange.markSent() }
    return context.channel.isWritable && !exchange.isSuspended
  }

  func sendEnd(_ trailers: HTTPFields?) {
    if exchange?.sending.bodyLeft == nil, let context {
      write(ChunkEncoder.end(with: trailers), bodyBytes: 0, context)
      context.flush()
    }
    if exchange?.sending.isWhole == false { exchange?.markSent() }
  }

  /// Nothing is kept: the chunks that a suspended exchange has passed on have been written.
  func sendPending() -> Bool { true }

  /// Writes a chunk. A small chunk is one part. A large chunk has three parts: the size line, the bytes and the line
  /// end.
  private func writeChunk(_ parts: [ByteBuffer], bodyBytes: Int, _ context: ChannelHandlerContext) {
    guard parts.count > 1 else {
      return parts.forEach { write($0, bodyBytes: bodyBytes, context) }
    }
    for (index, part) in parts.enumerated() {
      index == 1 ? writeSlices(of: part, context) : write(part, bodyBytes: 0, context)
    }
  }

  private func writeSlices(of chunk: ByteBuffer, _ context: ChannelHandlerContext) {
    var rest = chunk
    while let slice = rest.readSlice(length: min(rest.readableBytes, BodyChunks.slice)),
      slice.readableBytes > 0
    {
      write(slice, bodyBytes: slice.readableBytes, context)
    }
  }

  /// Writes a buffer. `bodyBytes`, the number of bytes of the body in it, are reported as progress when the write has
  /// completed.
  private func write(_ buffer: ByteBuffer, bodyBytes: Int, _ context: ChannelHandlerContext) {
    exchange?.sending.bytes += Int64(buffer.readableBytes)
    guard bodyBytes > 0, let exchange else {
      return context.write(wrapOutboundOut(buffer), promise: nil)
    }
    let written = context.eventLoop.makePromise(of: Void.self)
    written.futureResult.assumeIsolated().whenSuccess { [self] in
      let now = pool.now
      sendProgress.wrote(now)
      channel?.limitUnsentBytes(to: unsentLimit.wrote(bodyBytes, now))
      // A request that is sent again may be on another event loop by now.
      if carries(exchange) { exchange.noteWritten(bodyBytes, now) }
    }
    context.write(wrapOutboundOut(buffer), promise: written)
  }
}

/// Writes a request's body in chunks (RFC 9112 §7.1).
///
/// The line end after a chunk is sent with the chunk, never with the next chunk. Otherwise a server that reads line by
/// line would wait for the line end, while the producer of the body waits for the server.
enum ChunkEncoder {
  /// A chunk of up to this many bytes is copied, so that it leaves in one write. This is the maximum size of a TLS
  /// record.
  static let smallChunk = 16 << 10

  private static let end = ByteBuffer(string: "0\r\n\r\n")
  private static let lineEnd = ByteBuffer(string: "\r\n")

  /// Returns the end of a chunked body, after all of its chunks, with the trailers (RFC 9112 §7.1.2).
  static func end(with trailers: HTTPFields?) -> ByteBuffer {
    guard let trailers else { return end }
    var lines = ByteBuffer(string: "0\r\n")
    for field in trailers {
      lines.writeString(field.name.rawName)
      lines.writeStaticString(": ")
      field.withUnsafeBytesOfValue { _ = lines.writeBytes($0) }
      lines.writeStaticString("\r\n")
    }
    lines.writeStaticString("\r\n")
    return lines
  }

  /// Returns the buffers to write for a chunk of at least one byte.
  static func parts(of chunk: ByteBuffer, allocator: ByteBufferAllocator) -> [ByteBuffer] {
    let count = chunk.readableBytes
    let isSmall = count <= smallChunk
    var first = allocator.buffer(capacity: isSmall ? count + 16 : 16)
    first.writeString(String(count, radix: 16))
    first.writeStaticString("\r\n")
    guard isSmall else { return [first, chunk, lineEnd] }
    first.writeImmutableBuffer(chunk)
    first.writeStaticString("\r\n")
    return [first]
  }
}

import NIOCore

/// Holds the bytes that arrive on a channel before the handlers of its connection are in the pipeline.
///
/// A server may send bytes as soon as it is connected, as HTTP/2 servers do. Without a handler, these bytes would be
/// lost. From the start, the buffer is the last handler of the pipeline. The handlers that should receive the bytes
/// are added after it: a connection, or other handlers and then another buffer. Then the buffer is removed, which
/// releases the bytes. While it has bytes, no more are read.
final class InboundBufferHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer

  private let held = HeldReads()

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    held.append(data)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if held.isEmpty { context.fireChannelReadComplete() }
  }

  func read(context: ChannelHandlerContext) {
    if held.isEmpty { context.read() } else { held.holdRead() }
  }

  func removeHandler(
    context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken
  ) {
    held.passAll(context)
    context.leavePipeline(removalToken: removalToken)
  }

  /// Adds handlers after the buffer, in order, and a new buffer after them. Then removes the old buffer, which passes
  /// the held bytes to the handlers.
  ///
  /// - Throws: An error of the pipeline, for example when the channel is closed.
  static func insert(
    _ handlers: [any ChannelHandler], in pipeline: ChannelPipeline.SynchronousOperations
  ) throws {
    let handler = try pipeline.context(handlerType: InboundBufferHandler.self)
    var next: any ChannelHandler = InboundBufferHandler()
    try pipeline.addHandler(next)
    // A handler may begin as soon as it is added, so the handlers after it are added first.
    for handler in handlers.reversed() {
      try pipeline.addHandler(handler, position: .before(next))
      next = handler
    }
    pipeline.removeHandler(context: handler, promise: nil)
  }

  /// Removes the buffer: the held bytes are passed on, and so are all later ones.
  static func release(in pipeline: ChannelPipeline.SynchronousOperations) {
    guard let context = try? pipeline.context(handlerType: InboundBufferHandler.self) else {
      return
    }
    pipeline.removeHandler(context: context, promise: nil)
  }
}

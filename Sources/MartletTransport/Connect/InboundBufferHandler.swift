import NIOCore

/// Holds back what arrives on a channel before its connection is in place.
///
/// A server may speak as soon as it is connected, as HTTP/2 servers do, and bytes that meet no handler
/// are lost. The buffer is the last in the pipeline from the start. What is to see the bytes comes behind it,
/// and then the buffer is removed, which lets them go: a connection, or handlers with another buffer behind them.
final class InboundBufferHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private var held: [NIOAny] = []

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    held.append(data)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if held.isEmpty { context.fireChannelReadComplete() }
  }

  func removeHandler(
    context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken
  ) {
    let held = held
    self.held = []
    for data in held { context.fireChannelRead(data) }
    if !held.isEmpty { context.fireChannelReadComplete() }
    context.leavePipeline(removalToken: removalToken)
  }

  /// Puts handlers behind the buffer, the first of which is next to it, and a new buffer behind them, and lets
  /// through to them what was held.
  ///
  /// - Throws: What the pipeline says, which may have ended.
  static func insert(
    _ handlers: [any ChannelHandler], in pipeline: ChannelPipeline.SynchronousOperations
  ) throws {
    let handler = try pipeline.context(handlerType: InboundBufferHandler.self)
    var next: any ChannelHandler = InboundBufferHandler()
    try pipeline.addHandler(next)
    // A handler may begin as soon as it is added, and then those behind it must be there.
    for handler in handlers.reversed() {
      try pipeline.addHandler(handler, position: .before(next))
      next = handler
    }
    pipeline.removeHandler(context: handler, promise: nil)
  }

  /// Lets through what was held, and everything after it.
  static func release(in pipeline: ChannelPipeline.SynchronousOperations) {
    guard let context = try? pipeline.context(handlerType: InboundBufferHandler.self) else {
      return
    }
    pipeline.removeHandler(context: context, promise: nil)
  }
}

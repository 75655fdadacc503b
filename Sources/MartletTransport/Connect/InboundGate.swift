import NIOCore

/// Holds back what arrives on a channel before its connection is in place.
///
/// A server may speak as soon as it is connected, as HTTP/2 servers do, and bytes that meet no handler
/// are lost. The gate is the last in the pipeline from the start; the connection comes behind it, and
/// opens it by removing it.
final class InboundGate: ChannelInboundHandler, RemovableChannelHandler {
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

  /// Lets through what was held, and everything after it.
  static func open(in pipeline: ChannelPipeline.SynchronousOperations) {
    guard let context = try? pipeline.context(handlerType: InboundGate.self) else { return }
    pipeline.removeHandler(context: context, promise: nil)
  }
}

import NIOCore
import NIOSSL
import NIOTLS

/// Waits for the end of a handshake, then leaves the pipeline.
final class HandshakeWaiter: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer

  private let promise: EventLoopPromise<TLSHandshake.Agreement>
  private let tls: NIOSSLClientHandler
  private let pause: ReadPause

  init(
    _ promise: EventLoopPromise<TLSHandshake.Agreement>, _ tls: NIOSSLClientHandler,
    _ pause: ReadPause
  ) {
    self.promise = promise
    self.tls = tls
    self.pause = pause
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case .handshakeCompleted(let protocolName)? = event as? TLSUserEvent else {
      context.fireUserInboundEventTriggered(event)
      return
    }
    promise.succeed(
      TLSHandshake.Agreement(version: tls.tlsVersion?.name ?? "TLS", protocolName: protocolName))
    context.pipeline.syncOperations.removeHandler(pause, promise: nil)
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    promise.fail(error)
  }

  func channelInactive(context: ChannelHandlerContext) {
    promise.fail(ChannelError.eof)
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    promise.fail(ChannelError.eof)
  }
}

extension TLSVersion {
  fileprivate var name: String {
    switch self {
    case .tlsv1: "TLSv1"
    case .tlsv11: "TLSv1.1"
    case .tlsv12: "TLSv1.2"
    case .tlsv13: "TLSv1.3"
    }
  }
}

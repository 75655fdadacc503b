import NIOCore
import NIOSSL

extension ChannelHandlerContext {
  /// Closes without the farewell of TLS, for which a peer that has fallen silent would keep the
  /// connection's place for seconds.
  func closeAtOnce() {
    let tls = try? pipeline.syncOperations.context(handlerType: NIOSSLClientHandler.self)
    (tls ?? self).close(promise: nil)
  }
}

import NIOCore
import NIOSSL

extension Channel {
  /// Closes the connection without saying goodbye in TLS, for which the peer would have to answer.
  func closeAbruptly() {
    if eventLoop.inEventLoop {
      closeBelowTLS()
    } else {
      eventLoop.execute { self.closeBelowTLS() }
    }
  }

  private func closeBelowTLS() {
    let tls = try? pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
    if let tls {
      tls.close(mode: .all, promise: nil)
    } else {
      close(mode: .all, promise: nil)
    }
  }
}

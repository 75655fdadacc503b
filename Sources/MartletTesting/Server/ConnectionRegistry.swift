import EssentialFoundation
package import NIOCore
import NIOSSL

/// The connections of one server: counts them, and closes all of them when the server stops.
final class ConnectionRegistry: Sendable {
  struct State: Sendable {
    var accepted = 0
    var open: [ObjectIdentifier: any Channel] = [:]
    var isStopped = false
  }

  let state = AwaitableValue(State())

  /// Adds a connection that has been accepted.
  ///
  /// - Returns: The connection's number, from 0, or `nil` when the server has stopped.
  func register(_ channel: any Channel) -> Int? {
    let id = ObjectIdentifier(channel)
    return state.update { state -> Int? in
      guard !state.isStopped else { return nil }
      state.open[id] = channel
      state.accepted += 1
      return state.accepted - 1
    }
  }

  /// Removes a connection when it closes, after the callbacks that were added before.
  func removeOnClose(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    channel.closeFuture.whenComplete { [state] _ in
      state.update { _ = $0.open.removeValue(forKey: id) }
    }
  }

  /// Closes all open connections and refuses new ones.
  func closeAll() {
    let open = state.update { state in
      state.isStopped = true
      return state.open.values
    }
    for channel in open { channel.closeAbruptly() }
  }
}

extension Channel {
  /// Closes the connection with a TCP reset, by setting the socket's linger time to 0.
  ///
  /// - Throws: An error of the system when the linger time cannot be set.
  package func closeWithReset() async throws {
    let socket = self as? any SocketOptionProvider
    try await socket?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
    closeAbruptly()
  }

  /// Closes the connection without a TLS `close_notify`, which would wait for the peer's reply.
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

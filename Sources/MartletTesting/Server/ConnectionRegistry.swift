import NIOCore
import NIOSSL

/// The connections of one server: counted as they come, closed together at the end.
final class ConnectionRegistry: Sendable {
  struct Ledger: Sendable {
    var accepted = 0
    var open: [ObjectIdentifier: any Channel] = [:]
    var isStopped = false
  }

  let ledger = Observed(Ledger())

  /// Counts a connection in.
  ///
  /// - Returns: The connection's number, from 0, or `nil` when the server has stopped.
  func add(_ channel: any Channel) -> Int? {
    let id = ObjectIdentifier(channel)
    return ledger.update { ledger -> Int? in
      guard !ledger.isStopped else { return nil }
      ledger.open[id] = channel
      ledger.accepted += 1
      return ledger.accepted - 1
    }
  }

  /// Counts a connection out when it closes, after the observers that were added before.
  func watch(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    channel.closeFuture.whenComplete { [ledger] _ in
      ledger.update { _ = $0.open.removeValue(forKey: id) }
    }
  }

  /// Closes whatever is open and lets nothing new in.
  func closeAll() {
    let open = ledger.update { ledger in
      ledger.isStopped = true
      return ledger.open.values
    }
    for channel in open { channel.closeAbruptly() }
  }
}

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

import HTTPTypes
import MartletCore
import NIOCore

/// The way out of HTTP.
extension HTTP1Connection {
  /// Hands the connection over, after a head that switches to another protocol.
  ///
  /// - Throws: `MartletError` with code `.malformedResponse` if the request did not ask for it, or has not been sent
  ///   whole; `.connectionLost` when the channel has ended.
  func detach(_ head: ResponseHead, _ exchange: Exchange) throws(MartletError) {
    guard exchange.request.mayDetach else {
      throw .malformedResponse("it switches to a protocol that was not asked for")
    }
    guard exchange.sending.isWhole else {
      throw .malformedResponse("it switches to another protocol before the request has ended")
    }
    guard let context else {
      throw pool.lost(info, sent: .whole, isFresh: false, underlying: ChannelError.alreadyClosed)
    }
    forwarder?.access.accepted(head)
    let connection: DetachedConnection
    do {
      connection = try DetachedConnection(context.channel, behind: self)
    } catch {
      throw pool.lost(info, sent: .whole, isFresh: false, underlying: error)
    }
    // What came with the head is the new protocol's.
    let surplus = parser.takeSurplus()
    exchange.receiving.bytes -= Int64(surplus.readableBytes)
    if surplus.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(surplus)) }
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
    self.exchange = nil
    pool.closed(self)
    exchange.receive(head, over: connection)
  }
}

extension Request {
  /// Whether the server may make the connection another protocol's.
  fileprivate var mayDetach: Bool {
    method.asksForTunnel
      || headers.contains(.upgrade) && FramingFields(headers).hasConnectionOption("upgrade")
  }
}

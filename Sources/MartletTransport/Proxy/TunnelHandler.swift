import MartletCore
import NIOCore

/// Says what a negotiation wants said to a proxy, and leaves the pipeline when there is a way through.
final class TunnelHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// How a negotiation that has not failed ended.
  enum End: Sendable {
    case open
    /// The proxy is to be asked again, over another connection.
    case startOver
  }

  private var negotiation: any TunnelNegotiation
  private let promise: EventLoopPromise<End>
  private var isOver = false

  private init(_ negotiation: any TunnelNegotiation, _ promise: EventLoopPromise<End>) {
    self.negotiation = negotiation
    self.promise = promise
  }

  /// Negotiates on a channel with an inbound buffer at its end.
  ///
  /// - Throws: `MartletError` when there is no way through; the channel is still to be closed then.
  static func run(_ negotiation: any TunnelNegotiation, on channel: any Channel) async throws -> End
  {
    let promise = channel.eventLoop.makePromise(of: End.self)
    channel.eventLoop.execute {
      do {
        try InboundBufferHandler.insert(
          [TunnelHandler(negotiation, promise)], in: channel.pipeline.syncOperations)
      } catch {
        promise.fail(negotiation.closed(underlying: error))
      }
    }
    return try await withTaskCancellationHandler {
      try await promise.futureResult.get()
    } onCancel: {
      channel.close(promise: nil)
    }
  }

  func handlerAdded(context: ChannelHandlerContext) {
    context.channel.isActive ? act(context) : fail(nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isOver else { return }
    negotiation.receive(unwrapInboundIn(data))
    act(context)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    fail(error)
  }

  func channelInactive(context: ChannelHandlerContext) {
    fail(nil)
    context.fireChannelInactive()
  }

  private func act(_ context: ChannelHandlerContext) {
    do throws(MartletError) {
      while !isOver {
        switch try negotiation.next() {
        case .wait: return
        case .send(let bytes): context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
        case .startOver: end(.success(.startOver))
        case .open(let rest):
          end(.success(.open))
          leave(context, rest)
        }
      }
    } catch {
      end(.failure(error))
    }
  }

  /// The buffer behind keeps what came early.
  private func leave(_ context: ChannelHandlerContext, _ rest: ByteBuffer) {
    if rest.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(rest)) }
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
  }

  private func fail(_ error: (any Error)?) {
    end(.failure(negotiation.closed(underlying: error)))
  }

  private func end(_ result: Result<End, MartletError>) {
    guard !isOver else { return }
    isOver = true
    switch result {
    case .success(let end): promise.succeed(end)
    case .failure(let error): promise.fail(error)
    }
  }
}

/// What is said to a proxy, and what it says, until there is a way through to a server: the decisions,
/// without any I/O.
protocol TunnelNegotiation: Sendable {
  /// Takes in what the proxy has said.
  mutating func receive(_ bytes: ByteBuffer)
  /// What to do now.
  ///
  /// - Throws: `MartletError` when there is no way through.
  mutating func next() throws(MartletError) -> TunnelStep
  /// The sentence for a proxy that has closed the connection.
  func closed(underlying: (any Error)?) -> MartletError
}

/// What to do on the way through a proxy.
enum TunnelStep: Equatable {
  case send(ByteBuffer)
  /// The proxy has to say more.
  case wait
  /// What comes from now on is the server's, these bytes included.
  case open(ByteBuffer)
  /// The proxy is to be asked again, over another connection.
  case startOver
}

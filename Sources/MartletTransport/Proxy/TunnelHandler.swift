import MartletCore
import NIOCore

/// Sends and receives the bytes of a tunnel negotiation, and leaves the pipeline when the tunnel is open.
final class TunnelHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// The result of a negotiation that has not failed.
  enum End: Sendable {
    case open
    /// The negotiation must be repeated over another connection.
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
  /// - Throws: `MartletError` when the tunnel cannot be opened; the caller must then close the channel.
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
    context.channel.isActive ? performSteps(context) : fail(nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isOver else { return }
    negotiation.receive(unwrapInboundIn(data))
    performSteps(context)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    fail(error)
  }

  func channelInactive(context: ChannelHandlerContext) {
    fail(nil)
    context.fireChannelInactive()
  }

  private func performSteps(_ context: ChannelHandlerContext) {
    do throws(MartletError) {
      while !isOver {
        switch try negotiation.next() {
        case .wait: return
        case .send(let bytes): context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
        case .startOver: end(.success(.startOver))
        case .open(let rest):
          end(.success(.open))
          leavePipeline(context, rest)
        }
      }
    } catch {
      end(.failure(error))
    }
  }

  /// Passes early bytes of the server to the buffer after this handler, and leaves the pipeline.
  private func leavePipeline(_ context: ChannelHandlerContext, _ rest: ByteBuffer) {
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

/// The negotiation with a proxy until the tunnel to a server is open, without any I/O.
protocol TunnelNegotiation: Sendable {
  /// Receives bytes from the proxy.
  mutating func receive(_ bytes: ByteBuffer)
  /// Returns the next step.
  ///
  /// - Throws: `MartletError` when the tunnel cannot be opened.
  mutating func next() throws(MartletError) -> TunnelStep
  /// The error for a proxy that has closed the connection.
  func closed(underlying: (any Error)?) -> MartletError
}

/// A step of a tunnel negotiation.
enum TunnelStep: Equatable {
  case send(ByteBuffer)
  /// The proxy must send more bytes first.
  case wait
  /// The tunnel is open. These bytes, and all that follow, come from the server.
  case open(ByteBuffer)
  /// The negotiation must be repeated over another connection.
  case startOver
}

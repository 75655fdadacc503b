import NIOCore
import NIOTLS

/// Writes down what arrives on one connection, and plays its script.
final class ScriptedConnection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let number: Int
  private let script: Script
  private let log: Observed<ScriptLog>
  private var playing: Task<Void, Never>?

  init(number: Int, script: Script, log: Observed<ScriptLog>) {
    self.number = number
    self.script = script
    self.log = log
  }

  func channelActive(context: ChannelHandlerContext) {
    let player = ScriptPlayer(channel: context.channel, number: number, log: log)
    let script = script
    playing = Task { await player.play(script) }
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = Self.unwrapInboundIn(data)
    log.update { $0.receive(bytes, on: number) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .handshakeCompleted? = event as? TLSUserEvent { log.update { $0.secure(number) } }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    playing?.cancel()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.channel.closeAbruptly()
  }
}

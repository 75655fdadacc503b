import EssentialFoundation
import NIOCore
import NIOTLS

/// Performs the steps of a script on one connection.
struct ScriptPlayer: Sendable {
  let channel: any Channel
  let number: Int
  let log: AwaitableValue<ScriptLog>

  private struct ConnectionClosed: Error {}

  /// The numbers of heads and requests that the script has read.
  private struct Position {
    var heads = 0
    var requests = 0
  }

  func play(_ script: Script) async {
    var position = Position()
    do {
      for (index, step) in script.steps.enumerated() {
        let isLast = index == script.steps.count - 1
        try await perform(step, isLast: isLast, &position)
      }
      channel.close(promise: nil)
    } catch {
      channel.closeAbruptly()
    }
  }

  private func perform(_ step: Script.Step, isLast: Bool, _ position: inout Position) async throws {
    switch step {
    case .handshake, .readRequest, .readHead, .readBytes, .stall: try await read(step, &position)
    case .sendBytes(let bytes): try await send(bytes)
    case .reply(let response): try await send(response.bytes(closing: isLast))
    case .drip(let bytes, let pause): try await drip(bytes, pause)
    case .wait(let duration): try await Task.sleep(for: duration)
    case .stopReading: try await channel.setOption(.autoRead, value: false).get()
    case .resumeReading: try await channel.setOption(.autoRead, value: true).get()
    case .halfClose: try await channel.close(mode: .output).get()
    case .reset: try await reset()
    case .close: try await channel.close()
    }
  }

  private func read(_ step: Script.Step, _ position: inout Position) async throws {
    switch step {
    case .handshake:
      try await wait { $0.isSecure }
    case .readHead:
      position.heads += 1
      try await wait { [position] in $0.reader.heads >= position.heads }
    case .readRequest:
      position.requests += 1
      position.heads = max(position.heads, position.requests)
      try await wait { [position] in $0.reader.complete.count >= position.requests }
    case .readBytes(let count):
      try await wait { $0.bytes.readableBytes >= count }
    default:
      try await wait { _ in false }
    }
  }

  /// Returns when the connection meets a condition.
  ///
  /// - Throws: `CancellationError` or `ConnectionClosed` when the connection is closed first.
  private func wait(
    until isMet: @escaping @Sendable (ScriptLog.Connection) -> Bool
  ) async throws {
    try await log.waitWithoutLimit { [number] log in
      isMet(log.connections[number]) || log.connections[number].isClosed
    }
    guard isMet(log.current.connections[number]) else { throw ConnectionClosed() }
  }

  private func send(_ bytes: ByteBuffer) async throws {
    try await channel.writeAndFlush(bytes).get()
  }

  private func drip(_ bytes: ByteBuffer, _ pause: Duration) async throws {
    for byte in bytes.readableBytesView {
      try await send(ByteBuffer(integer: byte))
      try await Task.sleep(for: pause)
    }
  }

  /// Closes the connection with a reset.
  private func reset() async throws {
    try await channel.closeWithReset()
    try await wait { _ in false }
  }
}

/// Records the bytes that arrive on one connection, and plays its script.
final class ScriptedConnection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let number: Int
  private let script: Script
  private let log: AwaitableValue<ScriptLog>
  private var playing: Task<Void, Never>?

  init(number: Int, script: Script, log: AwaitableValue<ScriptLog>) {
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

import EssentialFoundation
import MartletTesting
import NIOCore
import NIOPosix
import NIOSSL

@testable import MartletRedisCache

/// A server in this process with the commands that the cache needs. A script can answer in its place.
final class RedisStub: Sendable {
  /// What happens after a command.
  enum Answer: Sendable {
    case reply(RESPValue)
    /// These bytes are sent.
    case bytes(String)
    /// No answer.
    case silence
    /// The connection is closed.
    case close
  }

  /// Returns the answer to a command; `nil` for the answer of the database.
  typealias Script = @Sendable (_ words: [String]) -> Answer?

  let database: Locked<RedisDatabase>
  /// The commands that have arrived, on any connection.
  let received = AwaitableValue<[[String]]>([])
  let connectionCount = AwaitableValue(0)
  private let open = AwaitableValue<[ObjectIdentifier: any Channel]>([:])
  private let channel: any Channel

  private init(_ channel: any Channel, _ database: Locked<RedisDatabase>) {
    self.channel = channel
    self.database = database
  }

  deinit { channel.close(promise: nil) }

  static func start(tls: CertifiedKey? = nil, _ script: @escaping Script = { _ in nil })
    async throws -> RedisStub
  {
    let context = try tls.map { credential in
      try NIOSSLContext(
        configuration: .makeServerConfiguration(
          certificateChain: try credential.certificateSources(),
          privateKey: try credential.privateKeySource()))
    }
    let stub = Locked<Weak?>(nil)
    let database = Locked(RedisDatabase())
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          stub.current?.value?.add(channel)
          let handler = StubConnection(database, script) { words in
            _ = stub.current?.value?.received.update { $0.append(words) }
          }
          let pipeline = channel.pipeline.syncOperations
          if let context { try pipeline.addHandler(NIOSSLServerHandler(context: context)) }
          try pipeline.addHandler(handler)
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let server = RedisStub(channel, database)
    stub.withLock { $0 = Weak(server) }
    return server
  }

  private func add(_ channel: any Channel) {
    connectionCount.update { $0 += 1 }
    open.update { $0[ObjectIdentifier(channel)] = channel }
    channel.closeFuture.whenComplete { [open] _ in
      open.update { $0[ObjectIdentifier(channel)] = nil }
    }
  }

  /// Closes all connections, and returns when the clients have closed them as well.
  func closeConnections() async throws {
    for channel in open.current.values { channel.close(mode: .output, promise: nil) }
    try await open.wait { $0.isEmpty }
  }

  private struct Weak: Sendable {
    weak let value: RedisStub?

    init(_ value: RedisStub) {
      self.value = value
    }
  }

  var configuration: RedisConfiguration {
    var configuration = RedisConfiguration(
      host: "127.0.0.1", port: channel.localAddress?.port ?? 0)
    configuration.timeout = .seconds(30)
    configuration.connectTimeout = .seconds(30)
    return configuration
  }

  /// The names of the commands that have arrived.
  var names: [String] { received.current.map { $0.first ?? "" } }
}

private final class StubConnection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private var decoder = RESPDecoder(.init(bulk: 16 << 20, reply: 64 << 20))
  private var buffer = ByteBuffer()
  private let database: Locked<RedisDatabase>
  private let script: RedisStub.Script
  private let log: ([String]) -> Void
  /// The commands of a transaction that has begun.
  private var queued: [[ByteBuffer]]?

  init(
    _ database: Locked<RedisDatabase>, _ script: @escaping RedisStub.Script,
    log: @escaping ([String]) -> Void
  ) {
    self.database = database
    self.script = script
    self.log = log
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    buffer.writeImmutableBuffer(unwrapInboundIn(data))
    while let command = try? decoder.decode(buffer: &buffer) {
      let words = command.elements.compactMap(\.bytes)
      // The beginning of a body is enough.
      let texts = words.map { String(decoding: $0.readableBytesView.prefix(200), as: UTF8.self) }
      log(texts)
      switch script(texts) ?? .reply(answer(words)) {
      case .reply(let value):
        var bytes = ByteBuffer()
        value.write(to: &bytes)
        context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
      case .bytes(let text):
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
      case .silence: break
      case .close: context.close(promise: nil)
      }
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .inputClosed? = event as? ChannelEvent { context.close(promise: nil) }
  }

  private func answer(_ words: [ByteBuffer]) -> RESPValue {
    switch words.first.map({ String(buffer: $0) }) {
    case "MULTI":
      queued = []
      return .simple("OK")
    case "EXEC":
      defer { queued = nil }
      return database.withLock { database in
        .array(queued?.map { database.answer($0) })
      }
    default:
      guard queued == nil else {
        queued?.append(words)
        return .simple("QUEUED")
      }
      return database.withLock { $0.answer(words) }
    }
  }
}

extension RESPValue {
  /// Writes the value as a server does.
  func write(to buffer: inout ByteBuffer) {
    switch self {
    case .simple(let text): buffer.writeString("+\(text)\r\n")
    case .error(let text): buffer.writeString("-\(text)\r\n")
    case .integer(let integer): buffer.writeString(":\(integer)\r\n")
    case .bulk(nil): buffer.writeString("$-1\r\n")
    case .bulk(let bytes?):
      buffer.writeString("$\(bytes.readableBytes)\r\n")
      buffer.writeImmutableBuffer(bytes)
      buffer.writeString("\r\n")
    case .array(nil): buffer.writeString("*-1\r\n")
    case .array(let elements?):
      buffer.writeString("*\(elements.count)\r\n")
      for element in elements { element.write(to: &buffer) }
    }
  }
}

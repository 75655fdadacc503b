import HTTPTypes
import NIOCore
import NIOEmbedded
import Synchronization

@testable import MartletCore
@testable import MartletTransport

/// A server of one connection, on an embedded channel: what it sends is given as bytes, and what becomes of each request
/// is seen. Pool, connection and exchanges are the engine's own.
///
/// No request can go out a second time, for that would take a second connection: their bodies are not replayable.
final class EmbeddedServer {
  /// How a request ended.
  enum Outcome: Equatable {
    case finished(HTTPResponse.Status?)
    case failed(MartletError.Code)
  }

  /// What a request's exchange has reported; it ends once.
  private final class Journal: Sendable {
    private let state = Mutex<(status: HTTPResponse.Status?, outcomes: [Outcome])>((nil, []))

    var outcome: Outcome? { state.withLock { $0.outcomes.last } }

    func note(_ event: CallEvent) {
      state.withLock { state in
        switch event.kind {
        case .responseReceived(let head): state.status = head.status
        case .attemptFinished: state.outcomes.append(.finished(state.status))
        case .attemptFailed(let error): state.outcomes.append(.failed(error.code))
        default: return
        }
        precondition(state.outcomes.count <= 1, "an exchange ended twice")
      }
    }
  }

  private let channel: EmbeddedChannel
  private let pools: OriginPools
  private let pool: ConnectionPool
  private let directory: PoolDirectory
  private var journals: [Journal] = []

  /// Connects, with `requests` under way at once.
  ///
  /// - Parameters:
  ///   - protocolName: `http/1.1` or `h2c`.
  ///   - requests: How many.
  ///   - delivery: Where the bodies of responses go.
  /// - Throws: What making a request throws.
  init(_ protocolName: String, requests: Int, delivery: Delivery) throws {
    var configuration = HTTPTransportConfiguration()
    configuration.versions = protocolName == "h2c" ? .http2 : .http1
    configuration.limits.responseHeadSize = 4 << 10
    channel = EmbeddedChannel(handler: InboundBufferHandler())
    directory = PoolDirectory(
      configuration, loops: [channel.embeddedEventLoop], hasVirtualTime: true,
      outsideWork: OutsideWork())
    pools = try directory.pools(for: try Request("http://127.0.0.1/").origin)
    pool = pools[0]
    channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 80), promise: nil)
    channel.embeddedEventLoop.run()
    var connection: ConnectionID?
    for number in 1...UInt64(requests) {
      let exchange = try makeExchange(delivery)
      exchange.id = ExchangeID(number)
      if case .connect(let id) = pool.state.assign(exchange.id, priority: .medium, now: pool.now) {
        connection = connection ?? id
      }
      pool.waiting[exchange.id] = exchange
    }
    _ = pool.budget.acquire(for: pool)
    let info = ConnectionInfo(
      protocolName: protocolName, localAddress: nil, remoteAddress: nil, resolveDuration: nil,
      connectDuration: .zero, tlsDuration: nil, tlsVersion: nil)
    if let connection {
      pool.opened(connection, .success(Connector.Connected(channel: channel, info: info)))
    }
    channel.embeddedEventLoop.run()
  }

  /// Whether the connection can carry another request.
  var isIdle: Bool { channel.isActive && pool.connections.values.contains { $0.isIdle } }

  /// Sends bytes, if the connection still stands.
  func send(_ bytes: some Sequence<UInt8>) {
    guard channel.isActive else { return }
    channel.pipeline.fireChannelRead(ByteBuffer(bytes: bytes))
    channel.pipeline.fireChannelReadComplete()
    channel.embeddedEventLoop.run()
  }

  /// Has another request go out over the connection, which is idle.
  func expectAnother(_ delivery: Delivery) throws {
    pool.submit(try makeExchange(delivery))
    channel.embeddedEventLoop.run()
  }

  /// Closes the connection.
  ///
  /// - Returns: How the requests ended, which each of them has.
  func end() -> [Outcome] {
    channel.close(promise: nil)
    channel.embeddedEventLoop.run()
    // A timer that waits would keep the loop, and the loop the timer.
    channel.embeddedEventLoop.advanceTime(by: .minutes(2))
    return journals.map { journal in
      guard let outcome = journal.outcome else {
        preconditionFailure("an exchange is without an end though its connection is closed")
      }
      return outcome
    }
  }

  private func makeExchange(_ delivery: Delivery) throws -> Exchange {
    var request = try Request(.put, "http://127.0.0.1/")
    request.body = RequestBody(
      source: .bytes(ByteBuffer(string: "tern")), length: 4, isReplayable: false)
    request.delivery = delivery
    let journal = Journal()
    let call = Call()
    call.observe { journal.note($0) }
    request.call = call
    journals.append(journal)
    // As when an exchange begins: an attempt that has not begun has no end.
    call.report(.attemptStarted(request))
    return Exchange(request, origin: try request.origin, timeouts: .none, pools: pools)
  }
}

import MartletCore
import NIOCore
import Synchronization

/// A connection that has left HTTP (RFC 9110 §7.8, §9.3.6).
final class DetachedConnection: ByteStream {
  private let channel: any Channel
  private let reader: DetachedReader
  private let incoming: BodyStream
  private let origin: Origin
  private let proxy: String?
  private let isClosed = Atomic(false)

  /// Puts itself behind `handler`, which is about to leave the channel.
  init(_ channel: any Channel, behind handler: HTTP1Connection) throws {
    origin = handler.pool.origin
    proxy = handler.info.proxy
    let reader = DetachedReader(origin, through: proxy)
    self.reader = reader
    incoming = BodyStream(isDecided: true) {
      channel.eventLoop.execute { reader.resume() }
    } giveUp: { _ in
      channel.eventLoop.execute { reader.closeAtOnce() }
    } put: { _, taker in
      taker(.success(nil))
    }
    reader.stream = incoming
    self.channel = channel
    try channel.pipeline.syncOperations.addHandler(reader, position: .after(handler))
  }

  deinit {
    close()
  }

  func read() async throws -> ByteBuffer? {
    if Task.isCancelled { close() }
    guard !isClosed.load(ordering: .relaxed) else { throw MartletError.cancelled }
    return try await incoming.next()
  }

  func write(_ bytes: ByteBuffer) async throws {
    do {
      try await withTaskCancellationHandler {
        try await channel.writeAndFlush(bytes).get()
      } onCancel: {
        channel.eventLoop.execute { [reader] in reader.closeAtOnce() }
      }
    } catch {
      throw Task.isCancelled || isClosed.load(ordering: .relaxed)
        ? MartletError.cancelled
        : .connectionLost(origin, sent: .part, through: proxy, underlying: error)
    }
  }

  func close() {
    isClosed.store(true, ordering: .relaxed)
    incoming.finish(.failure(.cancelled))
    incoming.abandon()
    channel.close(promise: nil)
  }
}

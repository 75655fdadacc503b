import EssentialFoundation
import MartletCore
import NIOCore

/// Sends a body that takes more than one write, while its producer is ahead by as much as its queue takes.
///
/// Unchecked because it is confined to the connection's event loop, but for `write` and the waiting it does,
/// which touch nothing beside what is locked.
final class BodyUpload: @unchecked Sendable {
  private typealias Producer = CheckedContinuation<Void, any Error>

  /// What the producer's thread and the loop share.
  private struct Shared {
    var queue: UploadQueue
    /// Waits for room. There is one at most: `BodyChunks` hands over one chunk at a time.
    var producer: Producer?
    /// Whether the loop will look into the queue without being told.
    var isExpected = false
  }

  private let body: RequestBody
  private let loop: any EventLoop
  private let shared: Locked<Shared>
  /// Puts a chunk on the wire, and tells whether there is room for another.
  private let send: (ByteBuffer) -> Bool
  /// The body is complete, or cannot be completed.
  private let finished: (Result<Void, MartletError>) -> Void
  private var task: Task<Void, Never>?
  private var hasRoom = true
  private var isSending = false
  private var isProduced = false

  init(
    _ body: RequestBody, loop: any EventLoop, send: @escaping (ByteBuffer) -> Bool,
    finished: @escaping (Result<Void, MartletError>) -> Void
  ) {
    self.body = body
    self.loop = loop
    self.send = send
    self.finished = finished
    shared = Locked(Shared(queue: UploadQueue(length: body.length)))
  }

  private var isOver: Bool { shared.withLock { $0.queue.isClosed } }

  /// Whether anything has been asked of the body's producer.
  var hasBegun: Bool { task != nil }

  /// Begins, or does nothing when it has begun.
  func start() {
    guard task == nil, !isOver else { return }
    task = Task { [self] in
      let result: Result<Void, MartletError>
      do {
        try await BodyChunks.write(body) { [self] chunk in try await writeInPieces(chunk) }
        result = .success(())
      } catch {
        result = .failure(
          error as? MartletError ?? .bodyNotReadable(underlying: error))
      }
      loop.execute { self.end(result) }
    }
  }

  /// Nothing more is to leave until there is room again.
  func pause() {
    hasRoom = false
  }

  /// There is room again.
  func resume() {
    hasRoom = true
    sendQueued()
  }

  /// Stops: the rest is not needed.
  func cancel() {
    task?.cancel()
    close()
  }

  // MARK: The producer's side

  /// A chunk of any size goes out in pieces, so that a suspended exchange does not send all of it.
  private func writeInPieces(_ chunk: ByteBuffer) async throws {
    var rest = chunk
    while rest.readableBytes > BodyChunks.size, let piece = rest.readSlice(length: BodyChunks.size)
    {
      try await write(piece)
    }
    try await write(rest)
  }

  private func write(_ chunk: ByteBuffer) async throws {
    let (isNews, isFull) = try shared.withLock { shared in
      try shared.queue.append(chunk)
      defer { shared.isExpected = true }
      return (!shared.isExpected, shared.queue.isFull)
    }
    if isNews { loop.execute { self.sendQueued() } }
    if isFull { try await room() }
  }

  private func room() async throws {
    try await withCheckedThrowingContinuation { (producer: Producer) in
      let answer: Result<Void, any Error>? = shared.withLock { shared in
        if shared.queue.isClosed { return .failure(CancellationError()) }
        if shared.queue.hasRoom { return .success(()) }
        shared.producer = producer
        return nil
      }
      if let answer { producer.resume(with: answer) }
    }
  }

  // MARK: The loop's side

  /// Sends what there is room for. If the exchange ends meanwhile, the queue is closed.
  ///
  /// The producer refills the queue meanwhile; what was written may have to leave before it shows that there is no
  /// more room. So after as much as the queue takes, other work on the loop has a turn.
  private func sendQueued() {
    guard !isSending else { return }
    isSending = true
    var left = UploadQueue.highWater
    while hasRoom, left > 0, let chunk = next() {
      left -= chunk.readableBytes
      hasRoom = false
      if send(chunk) { hasRoom = true }
    }
    isSending = false
    if left <= 0 { loop.execute { self.sendQueued() } }
    finishIfSent()
  }

  private func next() -> ByteBuffer? {
    let (chunk, producer) = shared.withLock { shared -> (ByteBuffer?, Producer?) in
      let chunk = shared.queue.next()
      if chunk == nil { shared.isExpected = false }
      return (chunk, shared.queue.hasRoom ? shared.producer.take() : nil)
    }
    producer?.resume()
    return chunk
  }

  private func end(_ result: Result<Void, MartletError>) {
    do {
      try result.get()
      try shared.current.queue.checkEnd()
      isProduced = true
      finishIfSent()
    } catch {
      finish(.failure(error))
    }
  }

  /// The last chunk must have found room, so that nothing more leaves while the exchange is held.
  private func finishIfSent() {
    guard isProduced, hasRoom, shared.withLock({ $0.queue.isEmpty }) else { return }
    finish(.success(()))
  }

  private func finish(_ result: Result<Void, MartletError>) {
    guard !isOver else { return }
    close()
    finished(result)
  }

  private func close() {
    let producer = shared.withLock { shared in
      shared.queue.close()
      return shared.producer.take()
    }
    producer?.resume(throwing: CancellationError())
  }
}

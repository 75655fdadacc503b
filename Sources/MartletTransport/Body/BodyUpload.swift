import EssentialFoundation
import HTTPTypes
import MartletCore
import NIOCore

/// Sends a body that takes more than one write, from a queue that its producer fills, and makes the trailers.
///
/// Unchecked because it is confined to the connection's event loop. Only the producer's side runs elsewhere, and it
/// uses constants and locked state only.
final class BodyUpload: @unchecked Sendable {
  private typealias Producer = CheckedContinuation<Void, any Error>

  /// The state that the producer's thread and the loop share.
  private struct Shared {
    var queue: UploadQueue
    /// The producer that waits for room. There is at most one, because `BodyChunks` passes one chunk at a time.
    var producer: Producer?
    /// Whether the loop will check the queue anyway, so that no check must be scheduled.
    var isSendScheduled = false
  }

  private let body: RequestBody
  private let trailers: RequestTrailers?
  private let loop: any EventLoop
  /// Runs the producer on the event loop, which saves two changes of threads for each chunk; `nil` for a producer or trailers of the
  /// caller, whose code may block.
  private let executor: EngineExecutor?
  private let outsideWork: OutsideWork
  private let shared: Locked<Shared>
  /// Sends a chunk, and returns whether there is room for another.
  private let send: (ByteBuffer) -> Bool
  /// Called with the trailers when the body is complete, or with an error when it cannot be completed.
  private let finished: (Result<HTTPFields?, MartletError>) -> Void
  private var task: Task<Void, Never>?
  private var hasRoom = true
  private var isSending = false
  /// The trailers, once the body and they have been produced.
  private var produced: HTTPFields??

  init(
    _ request: Request, on loopExecutor: EngineExecutor, send: @escaping (ByteBuffer) -> Bool,
    finished: @escaping (Result<HTTPFields?, MartletError>) -> Void
  ) {
    body = request.body
    trailers = request.trailers
    loop = loopExecutor.loop
    outsideWork = loopExecutor.outsideWork
    let hasOwnCode = body.isProduced || trailers != nil
    executor = hasOwnCode ? nil : loopExecutor
    self.send = send
    self.finished = finished
    shared = Locked(Shared(queue: UploadQueue(length: body.length)))
  }

  private var isOver: Bool { shared.withLock { $0.queue.isClosed } }

  /// Whether the body's producer has been started.
  var hasBegun: Bool { task != nil }

  /// Starts the producer, unless it was started before.
  func start() {
    guard task == nil, !isOver else { return }
    task = Task(executorPreference: executor) { [self, token = outsideWork.begin()] in
      let result: Result<HTTPFields?, MartletError>
      do {
        try await BodyChunks.write(body) { [self] chunk in try await writeInPieces(chunk) }
        result = .success(try await trailers?.fields())
      } catch {
        result = .failure(
          error as? MartletError ?? .bodyNotReadable(underlying: error))
      }
      token.end(on: loop) { self.end(result) }
    }
  }

  /// Stops sending until `resume()` is called.
  func pause() {
    hasRoom = false
  }

  /// Resumes sending, because there is room again.
  func resume() {
    hasRoom = true
    sendQueued()
  }

  /// Cancels the upload, because the rest of the body is not needed.
  func cancel() {
    task?.cancel()
    close()
  }

  // MARK: The producer's side

  /// Writes a chunk in pieces, so that a suspended exchange does not send all of a large chunk.
  private func writeInPieces(_ chunk: ByteBuffer) async throws {
    var rest = chunk
    while rest.readableBytes > BodyChunks.size, let piece = rest.readSlice(length: BodyChunks.size)
    {
      try await write(piece)
    }
    try await write(rest)
  }

  private func write(_ chunk: ByteBuffer) async throws {
    let (mustSchedule, isFull) = try shared.withLock { shared in
      try shared.queue.append(chunk)
      defer { shared.isSendScheduled = true }
      return (!shared.isSendScheduled, shared.queue.isFull)
    }
    if mustSchedule { loop.execute { self.sendQueued() } }
    if isFull { try await waitForRoom() }
  }

  private func waitForRoom() async throws {
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

  /// Sends queued chunks while there is room. If the exchange ends meanwhile, the queue is closed.
  ///
  /// The producer refills the queue meanwhile, and the channel may report that it is full only after a flush. So after
  /// as many bytes as the queue holds, the rest is scheduled, and other work on the loop has a turn.
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
      if chunk == nil { shared.isSendScheduled = false }
      return (chunk, shared.queue.hasRoom ? shared.producer.take() : nil)
    }
    producer?.resume()
    return chunk
  }

  private func end(_ result: Result<HTTPFields?, MartletError>) {
    do {
      let trailers = try result.get()
      try shared.current.queue.checkEnd()
      produced = .some(trailers)
      finishIfSent()
    } catch {
      finish(.failure(error))
    }
  }

  /// Ends the upload when all chunks have been sent. It also waits until there is room after the last chunk, so that a
  /// suspended exchange sends nothing more.
  private func finishIfSent() {
    guard let produced, hasRoom, shared.withLock({ $0.queue.isEmpty }) else { return }
    finish(.success(produced))
  }

  private func finish(_ result: Result<HTTPFields?, MartletError>) {
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

extension RequestBody {
  /// Whether a closure of the caller writes the body.
  fileprivate var isProduced: Bool { if case .producer = source { true } else { false } }
}

import EssentialFoundation
import MartletCore
import NIOCore
import NIOPosix

/// Passes a body to a writer, on a thread that may block.
///
/// Chunks are queued while one batch is being written. Receiving stops when too many bytes are queued.
///
/// Unchecked because it is confined to the event loop. Only `file` is used elsewhere, by the one batch that is being
/// written.
final class FileSink: @unchecked Sendable {
  /// How many bytes may be queued over HTTP/1.1, where stopping costs nothing. A buffer that is written soon is reused
  /// while it is still in the processor's cache.
  static let exclusiveHighWater = 1 << 20
  /// How many bytes may be queued over HTTP/2, where stopping shrinks the window.
  static let multiplexedHighWater = 4 << 20

  /// The location of the body once it is complete.
  var url: URL { file.url }
  private let loop: any EventLoop
  private let outsideWork: OutsideWork
  private let highWater: Int
  private let file: any ResponseBodyWriter
  private let resume: () -> Void
  private let onFailure: (MartletError) -> Void
  private var queue: [ByteBuffer] = []
  private var queuedBytes = 0
  private var isWriting = false
  private var isFull = false
  private var isOver = false
  private var isClosed = false
  private var onFinish: (() -> Void)?
  /// Fulfilled when the writer has released a body that failed, or when `releaseTimer` has fired.
  private var release: EventLoopPromise<Void>?
  private var releaseTimer: Scheduled<Void>?
  /// How long a failure is held back while the writer finishes.
  static let releaseTimeout = TimeAmount.seconds(1)

  /// - Parameters:
  ///   - file: The writer that takes the bytes.
  ///   - executor: The executor of the event loop on which the sink is used.
  ///   - highWater: How many bytes may be queued.
  ///   - resume: Called on the loop when there is room again.
  ///   - onFailure: Called on the loop, once, when the file cannot be written.
  init(
    _ file: any ResponseBodyWriter, on executor: EngineExecutor, highWater: Int,
    resume: @escaping () -> Void,
    onFailure: @escaping (MartletError) -> Void
  ) {
    loop = executor.loop
    outsideWork = executor.outsideWork
    self.highWater = highWater
    self.resume = resume
    self.onFailure = onFailure
    self.file = file
  }

  /// Queues a chunk, and returns whether there is room for more.
  func receive(_ chunk: ByteBuffer) -> Bool {
    enqueue(chunk)
    queuedBytes += chunk.readableBytes
    isFull = queuedBytes >= highWater
    writeNext()
    return !isFull
  }

  /// Queues a chunk. After receiving was stopped, a chunk is copied if it would keep a large read buffer alive.
  private func enqueue(_ chunk: ByteBuffer) {
    if !queue.mergeIntoLast(chunk) { queue.append(isFull ? chunk.compact : chunk) }
  }

  /// Completes the file once everything is written, then calls `done` on the loop.
  func finish(_ done: @escaping () -> Void) {
    onFinish = done
    writeNext()
  }

  /// Ends a body that has failed. Unless a write has failed, the writer receives the bytes that have arrived, and may
  /// keep or drop them.
  ///
  /// - Returns: A future that completes when the writer has released the body, or after `releaseTimeout`.
  func abandon() -> EventLoopFuture<Void> {
    if let release { return release.futureResult }
    let release = loop.makePromise(of: Void.self)
    self.release = release
    releaseTimer = loop.assumeIsolated().scheduleTask(in: Self.releaseTimeout) {
      self.fulfillRelease()
    }
    isOver = true
    onFinish = nil
    file.abandon()
    if !isWriting { close() }
    return release.futureResult
  }

  private func fulfillRelease() {
    guard let releaseTimer else { return }
    self.releaseTimer = nil
    releaseTimer.cancel()
    release?.succeed()
  }

  private func close() {
    isClosed = true
    let rest = queue
    queue = []
    run { file in
      try? file.write(rest)
      file.close()
    }
  }

  private func writeNext() {
    guard !isWriting, !isOver else { return }
    if !queue.isEmpty {
      let batch = queue
      queue = []
      run { try $0.write(batch) }
    } else if onFinish != nil {
      isOver = true
      run { try $0.complete() }
    }
  }

  private func run(_ work: @escaping @Sendable (any ResponseBodyWriter) throws -> Void) {
    isWriting = true
    NIOThreadPool.singleton.submit { [self, token = outsideWork.begin()] _ in
      let result = Result { try work(file) }
      token.end(on: loop) { self.wrote(result) }
    }
  }

  private func wrote(_ result: Result<Void, any Error>) {
    isWriting = false
    switch result {
    case .failure(let error):
      isOver = true
      // Bytes after a failed write are of no use.
      queue = []
      guard release == nil else { return close() }
      _ = abandon()
      onFailure(error as? MartletError ?? .fileNotWritable(file.url, underlying: error))
    case .success where isClosed: fulfillRelease()
    case .success where isOver: if let done = onFinish.take() { done() } else { close() }
    case .success:
      queuedBytes = queue.reduce(0) { $0 + $1.readableBytes }
      writeNext()
      guard isFull, queuedBytes < highWater else { return }
      isFull = false
      resume()
    }
  }
}

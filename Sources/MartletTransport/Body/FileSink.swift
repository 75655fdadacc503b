import EssentialFoundation
import MartletCore
import NIOCore
import NIOPosix

/// A body that a writer takes, on a thread that may block.
///
/// Chunks queue up while one batch is being written; receiving stops when too many bytes wait.
///
/// Unchecked because it is confined to the event loop, but for `file`, which is handed to the one
/// batch that is being written.
final class FileSink: @unchecked Sendable {
  /// How many bytes may wait where stopping costs nothing: what is written soon has its buffer read into
  /// again before the processor has forgotten it.
  static let exclusiveHighWater = 1 << 20
  /// How many over HTTP/2, where stopping shrinks the window.
  static let multiplexedHighWater = 4 << 20

  /// Where the body is in the end.
  var url: URL { file.url }
  private let loop: any EventLoop
  private let highWater: Int
  private let file: any ResponseBodyWriter
  private let resume: () -> Void
  private let failed: (MartletError) -> Void
  private var queue: [ByteBuffer] = []
  private var queuedBytes = 0
  private var isWriting = false
  private var isFull = false
  private var isOver = false
  private var isClosed = false
  private var finished: (() -> Void)?
  /// Fulfilled when the writer has let go of a body that failed, or `limit` has passed.
  private var release: EventLoopPromise<Void>?
  private var limit: Scheduled<Void>?
  /// How long a failure is held back while the writer finishes.
  static let releaseTimeout = TimeAmount.seconds(1)

  /// - Parameters:
  ///   - file: Takes the bytes.
  ///   - loop: The event loop on which the sink is used.
  ///   - highWater: How many bytes may wait.
  ///   - resume: Called on the loop when there is room again.
  ///   - failed: Called on the loop, once, when the file cannot be written.
  init(
    _ file: any ResponseBodyWriter, loop: any EventLoop, highWater: Int,
    resume: @escaping () -> Void,
    failed: @escaping (MartletError) -> Void
  ) {
    self.loop = loop
    self.highWater = highWater
    self.resume = resume
    self.failed = failed
    self.file = file
  }

  /// Takes a chunk; whether there is room for more.
  func receive(_ chunk: ByteBuffer) -> Bool {
    enqueue(chunk)
    queuedBytes += chunk.readableBytes
    isFull = queuedBytes >= highWater
    writeNext()
    return !isFull
  }

  /// What comes after receiving was stopped stays here for a while.
  private func enqueue(_ chunk: ByteBuffer) {
    if !queue.mergeIntoLast(chunk) { queue.append(isFull ? chunk.compact : chunk) }
  }

  /// Completes the file once everything is written, then calls `done` on the loop.
  func finish(_ done: @escaping () -> Void) {
    finished = done
    writeNext()
  }

  /// Hands over what has come, which is the writer's to keep or not.
  ///
  /// - Returns: What completes when the writer has let go, or takes too long to.
  func abandon() -> EventLoopFuture<Void> {
    if let release { return release.futureResult }
    let release = loop.makePromise(of: Void.self)
    self.release = release
    limit = loop.assumeIsolated().scheduleTask(in: Self.releaseTimeout) { self.letGo() }
    isOver = true
    finished = nil
    file.abandon()
    if !isWriting { close() }
    return release.futureResult
  }

  private func letGo() {
    guard let limit else { return }
    self.limit = nil
    limit.cancel()
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
    } else if finished != nil {
      isOver = true
      run { try $0.complete() }
    }
  }

  private func run(_ work: @escaping @Sendable (any ResponseBodyWriter) throws -> Void) {
    isWriting = true
    NIOThreadPool.singleton.submit { [self] _ in
      let result = Result { try work(file) }
      loop.execute { self.wrote(result) }
    }
  }

  private func wrote(_ result: Result<Void, any Error>) {
    isWriting = false
    switch result {
    case .failure(let error):
      isOver = true
      // What comes after what could not be written is of no use.
      queue = []
      guard release == nil else { return close() }
      _ = abandon()
      failed(error as? MartletError ?? .fileNotWritable(file.url, underlying: error))
    case .success where isClosed: letGo()
    case .success where isOver: if let done = finished.take() { done() } else { close() }
    case .success:
      queuedBytes = queue.reduce(0) { $0 + $1.readableBytes }
      writeNext()
      guard isFull, queuedBytes < highWater else { return }
      isFull = false
      resume()
    }
  }
}

import EssentialFoundation
package import MartletCore
package import NIOCore
import NIOPosix

/// Reads the body of a request chunk by chunk.
package enum BodyChunks {
  /// The size of a chunk, in bytes. Chunks are large because each costs one or two thread switches.
  static let size = 512 << 10
  /// How many bytes are written at a time. Each completed write is reported as progress, and restarts the idle
  /// time-out.
  static let slice = 128 << 10

  /// Passes the whole body to `write`, one chunk at a time.
  ///
  /// If a producer writes concurrently, each write waits until the previous write has returned.
  ///
  /// - Throws: `MartletError` for a file that cannot be read or has changed its length; the errors of a producer and of
  ///   `write`.
  package static func write(
    _ body: RequestBody, to write: @Sendable (ByteBuffer) async throws -> Void
  )
    async throws
  {
    switch body.source {
    case .empty: break
    case .producer(let produce):
      let mutex = AsyncMutex()
      try await produce { chunk in try await mutex.withLock { try await write(chunk) } }
    case .file(let range): try await self.write(range, to: write)
    case .bytes(let bytes): try await write(bytes)
    }
  }

  /// Passes a file to `write`. The next chunk is read, on a thread that may block, while the previous one is being
  /// sent.
  private static func write(
    _ range: RequestBody.FileRange, to write: @Sendable (ByteBuffer) async throws -> Void
  )
    async throws
  {
    let file = FileSource(path: range.path)
    var position = FilePosition(of: range)
    var chunk = try await file.startReading(at: position.offset, count: position.count).bytes
    while chunk.readableBytes > 0 {
      try position.advance(by: chunk.readableBytes)
      let next = file.startReading(at: position.offset, count: position.count)
      try await write(chunk)
      chunk = try await next.bytes
    }
    try position.finish()
  }
}

/// The position up to which a file has been read.
private struct FilePosition {
  private(set) var offset: Int64
  private let range: RequestBody.FileRange
  private let end: Int64
  private var hasReachedEnd = false

  init(of range: RequestBody.FileRange) {
    self.range = range
    offset = range.offset
    end = range.offset + range.length
  }

  /// How many bytes to read next. If the range reaches the end of the file, one byte more than expected is read at the
  /// end, to detect a file that has grown.
  var count: Int {
    guard !hasReachedEnd else { return 0 }
    return Int(min(Int64(BodyChunks.size), end - offset + (range.reachesEnd ? 1 : 0)))
  }

  /// - Throws: `MartletError` with code `.bodyLengthMismatch` when the file is longer than expected.
  mutating func advance(by read: Int) throws(MartletError) {
    let isAllThereIs = read < count
    offset += Int64(read)
    guard offset <= end else { throw .fileChanged(range.path, isLonger: true) }
    hasReachedEnd = offset == end && isAllThereIs
  }

  /// - Throws: `MartletError` with code `.bodyLengthMismatch` when the file was shorter than expected.
  func finish() throws(MartletError) {
    guard offset == end else { throw .fileChanged(range.path, isLonger: false) }
  }
}

/// A file that is opened, read at given offsets and closed on threads that may block.
final class FileSource: Sendable {
  private let path: String
  private let file = Locked<OpenFile?>(nil)

  init(path: String) {
    self.path = path
  }

  deinit {
    // The last reference closes the file.
    guard let file = file.current else { return }
    NIOThreadPool.singleton.submit { _ in withExtendedLifetime(file) {} }
  }

  /// Starts to read at most `count` bytes. The result is empty at the end of the file.
  ///
  /// It creates no task, which would cost two more thread switches.
  func startReading(at offset: Int64, count: Int) -> PendingRead {
    let pending = PendingRead()
    guard count > 0 else {
      pending.finish(.success(ByteBuffer()))
      return pending
    }
    NIOThreadPool.singleton.submit { [self] state in
      guard case .active = state else { return pending.finish(.failure(CancellationError())) }
      pending.finish(Result { try read(at: offset, count: count) })
    }
    return pending
  }

  private func read(at offset: Int64, count: Int) throws(MartletError) -> ByteBuffer {
    do {
      return try opened().read(upTo: count, at: offset)
    } catch {
      throw .fileNotReachable(URL(fileURLWithPath: path), underlying: error)
    }
  }

  private func opened() throws -> OpenFile {
    try file.withLock { file in
      if let file { return file }
      let opened = try OpenFile(reading: URL(fileURLWithPath: path))
      file = opened
      return opened
    }
  }
}

/// The result of a read that is under way, which a cancelled task does not wait for. Only one reader may wait for it.
final class PendingRead: Sendable {
  private enum State {
    case reading
    case awaited(CheckedContinuation<ByteBuffer, any Error>)
    case done(Result<ByteBuffer, any Error>)
  }

  private let state = Locked(State.reading)

  func finish(_ result: Result<ByteBuffer, any Error>) {
    let reader = state.withLock { state -> CheckedContinuation<ByteBuffer, any Error>? in
      if case .done = state { return nil }
      defer { state = .done(result) }
      if case .awaited(let reader) = state { return reader }
      return nil
    }
    reader?.resume(with: result)
  }

  var bytes: ByteBuffer {
    get async throws {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { wait($0) }
      } onCancel: {
        finish(.failure(CancellationError()))
      }
    }
  }

  private func wait(_ reader: CheckedContinuation<ByteBuffer, any Error>) {
    let result = state.withLock { state -> Result<ByteBuffer, any Error>? in
      switch state {
      case .done(let result): return result
      case .awaited: return .failure(MartletError.bodyReadTwice)
      case .reading:
        state = .awaited(reader)
        return nil
      }
    }
    if let result { reader.resume(with: result) }
  }
}

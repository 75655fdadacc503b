import EssentialFoundation
import MartletCore
import NIOCore

/// Passes a body from the event loop to a reader that pulls chunks.
///
/// The loop adds chunks, and stops receiving when 1 MiB is buffered. The reader removes them, and receiving resumes
/// when half of that is left. A reader that waits is resumed when the loop has handled all that it has read, because
/// resuming it costs more than reading a chunk.
///
/// The reader does not use the loop of a body that has ended, because it may have been shut down since.
final class BodyStream: DeliveringBodySource {
  /// Called with the delivered body, with `nil` if the body must be read as a stream, or with the error.
  typealias DeliveryHandler = @Sendable (Result<ResponseBody?, MartletError>) -> Void

  private static let highWater = 1 << 20
  private static let lowWater = 512 << 10

  private typealias Reader = CheckedContinuation<ByteBuffer?, any Error>

  private struct State {
    var chunks: CircularBuffer<ByteBuffer> = []
    var bytes = 0
    var isFull = false
    /// Whether the destination of the body is decided: `next()` or `deliver(_:)` was called.
    var isDecided = false
    /// Whether the chunks were taken for another destination.
    var isMovedElsewhere = false
    var reader: Reader?
    /// Whether the reader that waits will be resumed.
    var isResuming = false
    var end: Result<ResponseBody.Completion, MartletError>?
    /// Whether the reader gets nothing more from the loop.
    var isOver: Bool { end != nil || isMovedElsewhere }

    /// Appends a chunk. After receiving was stopped, the window of HTTP/2 still allows more bytes. These are merged or
    /// copied, so that small chunks do not keep large read buffers alive.
    mutating func append(_ chunk: ByteBuffer) {
      bytes += chunk.readableBytes
      guard isFull else { return chunks.append(chunk) }
      if !chunks.mergeIntoLast(chunk) { chunks.append(chunk.compact) }
    }
  }

  private let loop: any EventLoop
  private let callers: OutsideWork?
  private let state: Locked<State>
  private let resume: @Sendable () -> Void
  private let cancelReading: @Sendable (_ isCancelled: Bool) -> Void
  private let deliverBody: @Sendable (Delivery.BodyHandling, @escaping DeliveryHandler) -> Void

  /// - Parameters:
  ///   - loop: The event loop that adds the chunks.
  ///   - callers: Counts callers that wait for `deliver`. The default is `nil`: closing the engine does not wait for them.
  ///   - isDecided: Whether it is decided already that the body is read as a stream.
  ///   - resume: Called, on any thread, when there is room again.
  ///   - cancel: Called, on any thread, when the rest will not be read. The argument is whether the reader was
  ///     cancelled.
  ///   - deliver: Called, on any thread, with the destination of the body.
  init(
    loop: any EventLoop, callers: OutsideWork? = nil, isDecided: Bool,
    resume: @escaping @Sendable () -> Void,
    cancel: @escaping @Sendable (_ isCancelled: Bool) -> Void,
    deliver: @escaping @Sendable (Delivery.BodyHandling, @escaping DeliveryHandler) -> Void
  ) {
    self.loop = loop
    self.callers = callers
    state = Locked(State(isDecided: isDecided))
    self.resume = resume
    self.cancelReading = cancel
    deliverBody = deliver
  }

  // MARK: The loop's side

  /// Adds a chunk, and returns whether there is room for more.
  func receive(_ chunk: ByteBuffer) -> Bool {
    let (isAwaited, hasRoom) = state.withLock { state in
      state.append(chunk)
      // The reader clears this flag, and then resumes receiving. One that waits takes the first chunk at once.
      let awaited = state.reader == nil ? 0 : state.chunks.first?.readableBytes ?? 0
      if state.bytes - awaited >= Self.highWater { state.isFull = true }
      defer { state.isResuming = state.reader != nil }
      return (state.reader != nil && !state.isResuming, !state.isFull)
    }
    if isAwaited { loop.execute { self.resumeReader() } }
    return hasRoom
  }

  /// Whether a reader waits for a chunk.
  var isAwaited: Bool { state.withLock { $0.reader != nil } }

  /// Resumes the reader that waits for chunks.
  private func resumeReader() {
    state.withLock { state in
      state.isResuming = false
      defer { state.reader = nil }
      return state.reader
    }.map { take($0) }
  }

  /// Ends the body, as complete or as failed.
  func finish(_ end: Result<ResponseBody.Completion, MartletError>) {
    state.withLock { if $0.end == nil { $0.end = end } }
    resumeReader()
  }

  /// Removes and returns the chunks that were not read. The rest of the body goes to another destination.
  func takeAll() -> CircularBuffer<ByteBuffer> {
    let (chunks, reader) = state.withLock { state in
      state.bytes = 0
      state.isFull = false
      state.isDecided = true
      state.isMovedElsewhere = true
      defer {
        state.chunks = []
        state.reader = nil
      }
      return (state.chunks, state.reader)
    }
    reader?.resume(throwing: MartletError.bodyReadTwice)
    return chunks
  }

  /// Removes the chunks that were not read, and returns them as one buffer.
  func takeWhole() -> ByteBuffer {
    var whole = ByteBuffer()
    for chunk in takeAll() {
      if whole.readableBytes == 0 { whole = chunk } else { whole.writeImmutableBuffer(chunk) }
    }
    return whole.compact
  }

  // MARK: The reader's side

  func next() async throws -> ByteBuffer? {
    if isFirstToDecide { _ = try await deliver(.stream) }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { take($0) }
    } onCancel: {
      let wasOver = isOver
      finish(.failure(.cancelled))
      if !wasOver { cancelReading(true) }
    }
  }

  func deliver(_ handling: Delivery.BodyHandling) async throws -> ResponseBody? {
    let token = callers?.begin()
    defer { withExtendedLifetime(token) {} }
    _ = isFirstToDecide
    guard !isOver else { return nil }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        deliverBody(handling) { result in continuation.resume(with: result) }
      }
    } onCancel: {
      cancelReading(true)
    }
  }

  private var isOver: Bool { state.withLock { $0.isOver } }

  private var isFirstToDecide: Bool {
    state.withLock { state in
      defer { state.isDecided = true }
      return !state.isDecided
    }
  }

  private func take(_ reader: Reader) {
    enum Outcome {
      case chunk(ByteBuffer, hasRoomAgain: Bool)
      case end(Result<ResponseBody.Completion, MartletError>)
      case wait
    }
    let outcome: Outcome = state.withLock { state in
      if let chunk = state.chunks.popFirst() {
        state.bytes -= chunk.readableBytes
        let hasRoomAgain = state.isFull && state.bytes <= Self.lowWater && !state.isOver
        if hasRoomAgain { state.isFull = false }
        return .chunk(chunk, hasRoomAgain: hasRoomAgain)
      }
      if let end = state.end { return .end(end) }
      guard state.reader == nil, !state.isMovedElsewhere else {
        return .end(.failure(.bodyReadTwice))
      }
      state.reader = reader
      return .wait
    }
    switch outcome {
    case .wait: break
    case .end(.success): reader.resume(returning: nil)
    case .end(.failure(let error)): reader.resume(throwing: error)
    case .chunk(let chunk, let hasRoomAgain):
      if hasRoomAgain { resume() }
      reader.resume(returning: chunk)
    }
  }

  func abandon() {
    let wasOver = state.withLock { state in
      defer { state.chunks.removeAll() }
      return state.isOver
    }
    if !wasOver { cancelReading(false) }
  }

  var completion: ResponseBody.Completion? {
    state.withLock { state in
      guard state.chunks.isEmpty, case .success(let completion)? = state.end else { return nil }
      return completion
    }
  }
}

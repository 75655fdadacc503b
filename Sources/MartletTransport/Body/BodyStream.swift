import EssentialFoundation
import MartletCore
import NIOCore

/// A body on its way from the event loop to a reader that pulls.
///
/// The loop puts chunks in, and stops receiving when 512 KiB wait; the reader takes them out, and receiving goes on
/// when half of them are gone.
final class BodyStream: DeliveringBodySource {
  /// Completes with the body, or with `nil` when it is to be read.
  typealias DeliveryHandler = @Sendable (Result<ResponseBody?, MartletError>) -> Void

  private static let highWater = 512 << 10
  private static let lowWater = 256 << 10

  private typealias Reader = CheckedContinuation<ByteBuffer?, any Error>

  private struct State {
    var chunks: CircularBuffer<ByteBuffer> = []
    var bytes = 0
    var isFull = false
    /// Whether the place of the body is decided: a reader has asked for it, or `put` was called.
    var isDecided = false
    /// Whether the rest goes elsewhere.
    var isTaken = false
    var reader: Reader?
    var end: Result<ResponseBody.Completion, MartletError>?

    /// What comes after receiving was stopped, which a window of HTTP/2 allows, stays here for a while: it
    /// keeps little beside itself, however small its pieces are.
    mutating func append(_ chunk: ByteBuffer) {
      bytes += chunk.readableBytes
      guard isFull else { return chunks.append(chunk) }
      if !chunks.mergeIntoLast(chunk) { chunks.append(chunk.compact) }
    }
  }

  private let state: Locked<State>
  private let resume: @Sendable () -> Void
  private let cancelReading: @Sendable (_ isCancelled: Bool) -> Void
  private let deliverBody: @Sendable (Delivery.BodyHandling, @escaping DeliveryHandler) -> Void

  /// - Parameters:
  ///   - isDecided: Whether the body is to be read, and nothing else.
  ///   - resume: Called, on any thread, when there is room again.
  ///   - cancel: Called, on any thread, when the rest will not be read; says whether the reading was cancelled.
  ///   - deliver: Called, on any thread, with the place of the body.
  init(
    isDecided: Bool, resume: @escaping @Sendable () -> Void,
    cancel: @escaping @Sendable (_ isCancelled: Bool) -> Void,
    deliver: @escaping @Sendable (Delivery.BodyHandling, @escaping DeliveryHandler) -> Void
  ) {
    state = Locked(State(isDecided: isDecided))
    self.resume = resume
    self.cancelReading = cancel
    deliverBody = deliver
  }

  // MARK: The loop's side

  /// Takes a chunk; whether there is room for more.
  func receive(_ chunk: ByteBuffer) -> Bool {
    let reader: Reader? = state.withLock { state in
      if let reader = state.reader {
        state.reader = nil
        return reader
      }
      state.append(chunk)
      // Only the reader takes this back, and has the loop go on when it does.
      if state.bytes >= Self.highWater { state.isFull = true }
      return nil
    }
    reader?.resume(returning: chunk)
    return reader != nil || !state.withLock { $0.isFull }
  }

  /// The body has ended, or will never.
  func finish(_ end: Result<ResponseBody.Completion, MartletError>) {
    let reader: Reader? = state.withLock { state in
      if state.end == nil { state.end = end }
      defer { state.reader = nil }
      return state.reader
    }
    switch end {
    case .success: reader?.resume(returning: nil)
    case .failure(let error): reader?.resume(throwing: error)
    }
  }

  /// Removes the chunks that were not read: the rest goes elsewhere.
  func takeAll() -> CircularBuffer<ByteBuffer> {
    let (chunks, reader) = state.withLock { state in
      state.bytes = 0
      state.isFull = false
      state.isDecided = true
      state.isTaken = true
      defer {
        state.chunks = []
        state.reader = nil
      }
      return (state.chunks, state.reader)
    }
    reader?.resume(throwing: MartletError.bodyReadTwice)
    return chunks
  }

  /// The same as one piece.
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
      finish(.failure(.cancelled))
      cancelReading(true)
    }
  }

  func deliver(_ handling: Delivery.BodyHandling) async throws -> ResponseBody? {
    _ = isFirstToDecide
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        deliverBody(handling) { result in continuation.resume(with: result) }
      }
    } onCancel: {
      cancelReading(true)
    }
  }

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
        let hasRoomAgain = state.isFull && state.bytes <= Self.lowWater
        if hasRoomAgain { state.isFull = false }
        return .chunk(chunk, hasRoomAgain: hasRoomAgain)
      }
      if let end = state.end { return .end(end) }
      guard state.reader == nil, !state.isTaken else { return .end(.failure(.bodyReadTwice)) }
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
    let isOver = state.withLock { state in
      defer { state.chunks.removeAll() }
      return state.end != nil
    }
    if !isOver { cancelReading(false) }
  }

  var completion: ResponseBody.Completion? {
    state.withLock { state in
      guard state.chunks.isEmpty, case .success(let completion)? = state.end else { return nil }
      return completion
    }
  }
}

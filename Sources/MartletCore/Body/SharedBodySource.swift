import NIOCore
import Synchronization

/// Reads a source for all copies of one body, and abandons it when the last copy is released.
///
/// It handles cancellation for every source: after a cancellation the next read throws, even if bytes have arrived.
final class SharedBodySource: Sendable {
  private enum State: UInt8, AtomicRepresentable {
    case reading
    /// The unread rest is being delivered elsewhere, or has been.
    case delivered
    /// The end has been read. The body cannot be cancelled any more.
    case ended
    case cancelled
  }

  private let source: any ResponseBodySource
  /// The same source, if it can deliver its body itself.
  let deliveringSource: (any DeliveringBodySource)?
  /// The same source, if it reads a file.
  var fileReader: FileReader? { source as? FileReader }
  /// The call that the body belongs to.
  let call: Call?
  private let state = Atomic(State.reading)

  init(_ source: any ResponseBodySource, of call: Call?) {
    self.source = source
    deliveringSource = source as? any DeliveringBodySource
    self.call = call
  }

  deinit {
    if !isCancelled { source.abandon() }
  }

  /// Returns the next bytes, or `nil` at the end.
  ///
  /// - Throws: What the source throws; `MartletError` with code `.cancelled` when the call or the reading task
  ///   has been cancelled before the end was read, and `.bodyNotReadable` when the body was delivered elsewhere.
  func next() async throws -> ByteBuffer? {
    guard try isReading() else { return nil }
    let chunk: ByteBuffer?
    // A source that is abandoned during a read may fail, or report the end of the body.
    do {
      chunk = try await nextChunk()
    } catch _ where isCancelled {
      throw MartletError.cancelled
    }
    if chunk == nil { change(.reading, to: .ended) }
    guard chunk != nil || !isCancelled else { throw MartletError.cancelled }
    return chunk
  }

  /// Reads a chunk. A source that can deliver its body itself, such as the engine's, also observes cancellation itself.
  private func nextChunk() async throws -> ByteBuffer? {
    if let deliveringSource { return try await deliveringSource.next() }
    return try await withTaskCancellationHandler {
      try await source.next()
    } onCancel: {
      abandon()
    }
  }

  /// Lets the source deliver the unread rest of the body according to `handling`.
  ///
  /// - Returns: The delivered body; `nil` if the caller must read the body instead.
  /// - Throws: What `next` throws, and errors in writing the body.
  func deliver(_ handling: Delivery.BodyHandling) async throws -> ResponseBody? {
    guard try isReading(), let deliveringSource else { return nil }
    guard change(.reading, to: .delivered) else { throw MartletError.bodyReadTwice }
    let body = try await deliveringSource.deliver(handling)
    if body == nil { change(.delivered, to: .reading) }
    return body
  }

  /// Returns true before the end has been read, and false after it; throws if the body cannot be read.
  private func isReading() throws(MartletError) -> Bool {
    switch state.load(ordering: .relaxed) {
    case .ended: return false
    case .delivered: throw .bodyReadTwice
    case .cancelled: throw .cancelled
    case .reading: break
    }
    guard !Task.isCancelled, call?.isCancelled != true else {
      abandon()
      throw .cancelled
    }
    return true
  }

  private var isCancelled: Bool { state.load(ordering: .relaxed) == .cancelled }

  @discardableResult
  private func change(_ old: State, to new: State) -> Bool {
    state.compareExchange(expected: old, desired: new, ordering: .relaxed).exchanged
  }

  /// Ends the reading and drops all unread bytes.
  func abandon() {
    if change(.reading, to: .cancelled) { source.abandon() }
  }

  /// Trailers and final metrics, once the body has ended; `nil` if the reading was cancelled.
  var completion: ResponseBody.Completion? {
    isCancelled ? nil : source.completion
  }
}

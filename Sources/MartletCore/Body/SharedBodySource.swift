import NIOCore
import Synchronization

/// Reads a source for all copies of one body, and abandons it when the last of them goes away.
///
/// Here a cancellation takes effect, for every source alike: the next read throws, whatever has arrived by then.
final class SharedBodySource: Sendable {
  private enum State: UInt8, AtomicRepresentable {
    case reading
    /// All that has not been read goes elsewhere, or has gone there.
    case delivered
    /// The end has been read: nothing can be cancelled any more.
    case over
    case cancelled
  }

  private let source: any ResponseBodySource
  /// The same, if it can deliver its whole body itself.
  let wholeSource: (any DeliveringBodySource)?
  /// The call that the body belongs to.
  let call: Call?
  private let state = Atomic(State.reading)

  init(_ source: any ResponseBodySource, of call: Call?) {
    self.source = source
    wholeSource = source as? any DeliveringBodySource
    self.call = call
  }

  deinit {
    if state.load(ordering: .relaxed) != .cancelled { source.abandon() }
  }

  /// The next bytes, or `nil` at the end.
  ///
  /// - Throws: What the source throws; `MartletError` with code `.cancelled` when the call or the reading task
  ///   has been cancelled before the end was read, and `.bodyNotReadable` when the body was put elsewhere.
  func next() async throws -> ByteBuffer? {
    guard try isReading() else { return nil }
    let chunk = try await nextChunk()
    if chunk == nil { change(.reading, to: .over) }
    // A source that was abandoned while it was waited for may call that its end.
    if chunk == nil, state.load(ordering: .relaxed) == .cancelled {
      throw MartletError.cancelled
    }
    return chunk
  }

  /// The engine's own sources observe cancellation themselves.
  private func nextChunk() async throws -> ByteBuffer? {
    if let wholeSource { return try await wholeSource.next() }
    return try await withTaskCancellationHandler {
      try await source.next()
    } onCancel: {
      abandon()
    }
  }

  /// Has the source deliver all that has not been read as `handling` says.
  ///
  /// - Returns: The body there; `nil` when it is to be read instead.
  /// - Throws: What `next` throws, and what the place does.
  func deliver(_ handling: Delivery.BodyHandling) async throws -> ResponseBody? {
    guard try isReading(), let wholeSource else { return nil }
    guard change(.reading, to: .delivered) else { throw MartletError.bodyReadTwice }
    let body = try await wholeSource.deliver(handling)
    if body == nil { change(.delivered, to: .reading) }
    return body
  }

  /// Whether there is something to read.
  private func isReading() throws(MartletError) -> Bool {
    switch state.load(ordering: .relaxed) {
    case .over: return false
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

  @discardableResult
  private func change(_ old: State, to new: State) -> Bool {
    state.compareExchange(expected: old, desired: new, ordering: .relaxed).exchanged
  }

  /// Ends the reading: what has not been read is dropped.
  func abandon() {
    if change(.reading, to: .cancelled) { source.abandon() }
  }

  /// What is known at the end, unless the reading was cancelled before.
  var completion: ResponseBody.Completion? {
    state.load(ordering: .relaxed) == .cancelled ? nil : source.completion
  }
}

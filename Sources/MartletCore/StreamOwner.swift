import NIOCore
import Synchronization

/// Reads a source for all copies of one body, and abandons it when the last of them goes away.
///
/// Here a cancellation takes effect, for every source alike: the next read throws, whatever has arrived by then.
final class StreamOwner: Sendable {
  private enum Standing: UInt8, AtomicRepresentable {
    case reading
    /// The end has been read: nothing can be cancelled any more.
    case over
    case cancelled
  }

  let source: any ResponseBodySource
  /// The exchange that the body belongs to.
  let exchange: Exchange?
  private let standing = Atomic(Standing.reading)

  init(_ source: any ResponseBodySource, of exchange: Exchange?) {
    self.source = source
    self.exchange = exchange
  }

  deinit {
    if standing.load(ordering: .relaxed) != .cancelled { source.abandon() }
  }

  /// The next bytes, or `nil` at the end.
  ///
  /// - Throws: What the source throws; `MartletError` with code `.cancelled` when the exchange or the reading task
  ///   has been cancelled before the end was read.
  func next() async throws -> ByteBuffer? {
    switch standing.load(ordering: .relaxed) {
    case .over: return nil
    case .cancelled: throw MartletError.cancelled
    case .reading: break
    }
    try checkWanted()
    let chunk = try await source.next()
    if chunk == nil { standing.store(.over, ordering: .relaxed) }
    return chunk
  }

  /// Has the source put all that has not been read where `choice` says.
  ///
  /// - Returns: The body there; `nil` when it is to be read instead.
  /// - Throws: What `next` throws, and what the place does.
  func put(_ choice: Delivery.Choice) async throws -> ResponseBody? {
    guard standing.load(ordering: .relaxed) == .reading, let source = source as? any WholeBodySource
    else { return nil }
    try checkWanted()
    guard let body = try await source.put(choice) else { return nil }
    standing.store(.over, ordering: .relaxed)
    return body
  }

  private func checkWanted() throws(MartletError) {
    guard !Task.isCancelled, exchange?.isCancelled != true else {
      abandon()
      throw .cancelled
    }
  }

  /// Ends the reading: what has not been read is dropped.
  func abandon() {
    let isFirst = standing.compareExchange(
      expected: .reading, desired: .cancelled, ordering: .relaxed
    ).exchanged
    if isFirst { source.abandon() }
  }

  /// What is known at the end, unless the reading was cancelled before.
  var completion: ResponseBody.Completion? {
    standing.load(ordering: .relaxed) == .cancelled ? nil : source.completion
  }
}

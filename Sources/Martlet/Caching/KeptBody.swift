import MartletCore
import NIOCore

/// A body that is kept when it has been read to its end.
final class KeptBody: WholeBodySource {
  typealias Keep = @Sendable (ByteBuffer) async -> Void

  private let body: ResponseBody
  private let limit: Int
  private let keep: Keep
  /// What has been read so far; `nil` when it is too much, or was kept.
  private let read = Locked<ByteBuffer?>(ByteBuffer())

  /// - Parameters:
  ///   - body: What is read.
  ///   - limit: How many bytes are kept at most.
  ///   - keep: Called once, with the whole.
  init(_ body: ResponseBody, limit: Int, _ keep: @escaping Keep) {
    self.body = body
    self.limit = limit
    self.keep = keep
  }

  func next() async throws -> ByteBuffer? {
    var chunks = body.makeAsyncIterator()
    guard let chunk = try await chunks.next() else {
      if let whole = read.withLock({ $0.take() }) { await keep(whole) }
      return nil
    }
    read.withLock { [limit] read in
      guard (read?.readableBytes ?? 0) + chunk.readableBytes <= limit else { return read = nil }
      read?.writeImmutableBuffer(chunk)
    }
    return chunk
  }

  /// What is read to the end is kept on the way; nothing else is.
  func put(_ choice: Delivery.Choice) async throws -> ResponseBody? {
    switch choice {
    case .buffer(let limit):
      expectBuffer(limit)
      return nil
    case .stream: return nil
    case .discard, .file, .writer: return try await body.delivered(choice, of: nil)
    }
  }

  func expectBuffer(_ limit: Int) { body.expectBuffer(limit) }

  // The body is dropped with this one, and thereby abandoned.
  func abandon() {}

  var completion: ResponseBody.Completion? { body.completion }
}

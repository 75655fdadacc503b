import EssentialFoundation
import MartletCore
import MartletEssentials
import NIOCore

/// Writes the body of one response, chunk by chunk. The chunks of a writer that is released before the end expire.
final class RedisBodyWriter: CachedResponseWriter {
  private let cache: RedisResponseCache
  private let layout: RedisLayout
  private let state = Locked(State())

  private struct State {
    var body = RedisEntry.Chunks(id: .random(in: 0 ... .max))
    /// The bytes that are not a whole chunk yet.
    var rest = ByteBuffer()

    /// Returns the next chunk, if it is whole or the last one.
    mutating func next(isLast: Bool = false) -> ByteBuffer? {
      let size = min(body.size, rest.readableBytes)
      guard size == body.size || isLast && size > 0, let chunk = rest.readSlice(length: size) else {
        return nil
      }
      let number = body.count
      body.length += Int64(size)
      return body.stored(chunk, number: number)
    }
  }

  init(_ cache: RedisResponseCache, at layout: RedisLayout) {
    self.cache = cache
    self.layout = layout
  }

  func write(_ bytes: ByteBuffer) async throws {
    let limit = cache.largestBody
    try state.withLock { state in
      guard state.body.length + Int64(state.rest.readableBytes + bytes.readableBytes) <= limit
      else { throw MartletError.bodyTooLarge(limit: limit) }
      state.rest.writeImmutableBuffer(bytes)
    }
    while let chunk = state.withLock({ $0.next() }) { try await store(chunk) }
    state.withLock { _ = $0.rest.discardReadBytes() }
  }

  func finish(_ record: CachedResponse.Record) async throws {
    if let chunk = state.withLock({ $0.next(isLast: true) }) { try await store(chunk) }
    try await cache.insert(record, .chunks(state.current.body), at: layout)
  }

  private func store(_ chunk: ByteBuffer) async throws {
    let body = state.current.body
    let key = layout.chunk(body.count - 1, of: body)
    _ = try await cache.client.send([.set(key, chunk, for: RedisLayout.writingTime)])
  }
}

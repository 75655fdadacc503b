import EssentialFoundation
import MartletCore
import MartletEssentials
import NIOCore

/// Writes the body of one response, chunk by chunk. A writer that is released before the response is stored removes its
/// chunks. If the server cannot be reached then, they expire.
final class RedisBodyWriter: CachedResponseWriter {
  private let cache: RedisResponseCache
  private let layout: RedisLayout
  /// The generation before the body was received, so that a removal in the meantime counts.
  private let generation: String
  private let state = Locked(State())

  private struct State {
    var body = RedisChunks(id: .random(in: 1 ... .max))
    /// The bytes that are not a whole chunk yet.
    var rest = ByteBuffer()
    var isStored = false

    /// Returns the next chunk, if it is whole or the last one.
    mutating func next(isLast: Bool = false) -> ByteBuffer? {
      let size = min(RedisLayout.chunkSize, rest.readableBytes)
      guard size == RedisLayout.chunkSize || isLast && size > 0,
        let chunk = rest.readSlice(length: size)
      else { return nil }
      let number = body.count
      body.length += Int64(size)
      return body.stored(chunk, number: number)
    }
  }

  init(_ cache: RedisResponseCache, _ generation: String, at layout: RedisLayout) {
    self.cache = cache
    self.generation = generation
    self.layout = layout
  }

  deinit {
    let state = state.current
    guard !state.isStored, state.body.length > 0 else { return }
    let (client, key) = (cache.client, layout.body(state.body))
    Task { try await client.send([.remove(key)]) }
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
    let body = RedisEntry.Body.chunks(state.current.body)
    let isStored = try await cache.insert(record, body, generation, at: layout)
    state.withLock { $0.isStored = isStored }
  }

  private func store(_ chunk: ByteBuffer) async throws {
    let body = state.current.body
    let key = layout.body(body)
    // Together, so that no body is without an expiry.
    _ = try await cache.client.send(
      RESPCommand.transaction([
        .setField(key, body.count - 1, chunk), .expire(key, after: RedisLayout.readingTime),
      ]))
  }
}

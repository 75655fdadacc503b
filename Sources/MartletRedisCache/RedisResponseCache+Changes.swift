import EssentialFoundation
import MartletCore
public import MartletEssentials
import NIOCore

/// The changes that the cache makes. Each is a transaction, after a look at what is stored.
extension RedisResponseCache {
  /// Inserts a response in place of the one with the same variant. What cannot be of use only removes that one.
  func insert(_ record: CachedResponse.Record, _ body: RedisEntry.Body, at layout: RedisLayout)
    async throws
  {
    let field = record.variant
    let replies = try await client.send([
      .setNew(
        layout.generation, RedisLayout.makeGeneration(), for: RedisLayout.generationLifetime),
      .get(layout.generation), .field(layout.variants, field), .fieldCount(layout.variants),
    ])
    // Another process may just have removed the generation.
    guard let generation = replies[1].bytes else { return }
    let old = replies[2]
    var changes = release(old.entry, at: layout)
    let entry = RedisEntry(record, body, seal: layout.seal(generation))
    if let lifetime = lifetime(of: record), let bytes = entry.storableBytes {
      if old.bytes == nil, replies[3].integer >= RedisLayout.mostVariants {
        changes += try await evict(at: layout)
      }
      changes.append(.setField(layout.variants, field, bytes))
      changes += keep(body, for: lifetime, at: layout)
    } else {
      changes.append(.removeField(layout.variants, field))
    }
    _ = try await client.send(RESPCommand.transaction(changes))
  }

  /// Replaces the record of a stored response.
  ///
  /// - Throws: `MartletError` with code `.cacheFailed`.
  public func update(_ record: CachedResponse.Record, for key: CacheKey) async throws {
    let (layout, field) = (layout(key), record.variant)
    let replies = try await client.send([
      .get(layout.generation), .field(layout.variants, field),
    ])
    guard let generation = replies[0].bytes, var entry = replies[1].entry,
      entry.seal == layout.seal(generation), entry.record.id == record.id,
      entry.body.chunks?.length ?? 0 <= largestBody
    else { return }
    entry.record = record
    guard let lifetime = lifetime(of: record), let bytes = entry.storableBytes else {
      let changes = release(entry, at: layout) + [.removeField(layout.variants, field)]
      _ = try await client.send(RESPCommand.transaction(changes))
      return
    }
    let changes =
      [.setField(layout.variants, field, bytes)] + keep(entry.body, for: lifetime, at: layout)
    _ = try await client.send(RESPCommand.transaction(changes))
  }
}

/// The parts of a change.
extension RedisResponseCache {
  /// How long a response is stored, in milliseconds; `nil` if it cannot be of use.
  func lifetime(of record: CachedResponse.Record) -> Int64? {
    let seconds = record.usefulLifetime(retention: configuration.retention, at: clock())
    let limited = min(seconds * 1000, Double(RedisLayout.longestLifetime))
    return limited >= 1 ? Int64(limited) : nil
  }

  /// Keeps a response, its body, and the generation.
  private func keep(_ body: RedisEntry.Body, for lifetime: Int64, at layout: RedisLayout)
    -> [RESPCommand]
  {
    let chunks = body.chunks.map { layout.chunks(of: $0) } ?? []
    return [
      .keep(layout.generation, for: RedisLayout.generationLifetime),
      .expire(layout.variants, after: lifetime), .keep(layout.variants, for: lifetime),
    ] + chunks.map { .keep($0, for: lifetime + RedisLayout.readingTime) }
  }

  /// Lets the chunks of a response that is replaced or removed expire.
  private func release(_ entry: RedisEntry?, at layout: RedisLayout) -> [RESPCommand] {
    guard let chunks = entry?.body.chunks, chunks.length <= largestBody else { return [] }
    return layout.chunks(of: chunks).map { .release($0, within: RedisLayout.readingTime) }
  }

  /// Removes any of the variants, because there are too many.
  private func evict(at layout: RedisLayout) async throws -> [RESPCommand] {
    let parts = try await client.send([.anyField(layout.variants)])[0].elements
    guard parts.count == 2, let field = parts[0].bytes else { return [] }
    return release(parts[1].entry, at: layout) + [.removeField(layout.variants, field)]
  }
}

extension RedisEntry {
  /// The bytes; `nil` if the record is too large.
  fileprivate var storableBytes: ByteBuffer? {
    let bytes = bytes
    let largest = RedisLayout.largestRecord + RedisLayout.largestInlineBody
    return bytes.readableBytes <= largest ? bytes : nil
  }
}

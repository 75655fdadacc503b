import EssentialFoundation
import MartletCore
public import MartletEssentials
import NIOCore

/// The changes that the cache makes. The server runs each as a whole.
extension RedisResponseCache {
  /// Returns the generation of a URL.
  func generation(at layout: RedisLayout) async throws -> String {
    let new = RedisLayout.makeGeneration()
    let known = try await client.send([.generation(at: layout, orNew: new)])[0].bytes
    return known.map { String(buffer: $0) } ?? new
  }

  /// Inserts a response in place of the one with the same variant. What cannot be of use only removes that one.
  ///
  /// - Parameters:
  ///   - record: The response.
  ///   - body: Its body.
  ///   - generation: The generation of the URL. If the responses for it were removed after it was read, nothing is stored.
  ///     With `nil`, it may be any.
  ///   - layout: Where the response is stored.
  /// - Returns: Whether the response is stored.
  /// - Throws: `MartletError` with code `.cacheFailed`.
  func insert(
    _ record: CachedResponse.Record, _ body: RedisEntry.Body, _ generation: String?,
    at layout: RedisLayout
  ) async throws -> Bool {
    let parts: [any RESPArgument] =
      switch body {
      case .inline(let bytes): ["0", Int64(bytes.readableBytes), bytes]
      case .chunks(let chunks): [String(chunks.id, radix: 16), chunks.length, ""]
      }
    var commands = [
      RESPCommand.change(at: layout, [generation ?? "*"] + change(to: record) + parts)
    ]
    if generation == nil {
      commands.insert(.generation(at: layout, orNew: RedisLayout.makeGeneration()), at: 0)
    }
    return try await client.send(commands).last?.integer == 1
  }

  /// Replaces the record of a stored response.
  ///
  /// - Throws: `MartletError` with code `.cacheFailed`.
  public func update(_ record: CachedResponse.Record, for key: CacheKey) async throws {
    try await replace(by: change(to: record), for: key)
  }

  /// Removes one response.
  ///
  /// - Throws: `MartletError` with code `.cacheFailed`.
  public func remove(_ record: CachedResponse.Record, for key: CacheKey) async throws {
    try await replace(by: removal(of: record), for: key)
  }

  private func replace(by change: [any RESPArgument], for key: CacheKey) async throws {
    let arguments: [any RESPArgument] = [""] + change + ["0", "0", ""]
    _ = try await client.send([.change(at: layout(key), arguments)])
  }

  /// The arguments of ``RedisScript/change`` for a record. One that is too large, or cannot be of use, is removed.
  private func change(to record: CachedResponse.Record) -> [any RESPArgument] {
    let bytes = record.bytes
    guard let lifetime = lifetime(of: record), bytes.readableBytes <= RedisLayout.largestRecord
    else { return removal(of: record) }
    return [now, now + lifetime, record.variant, String(record.id, radix: 16), bytes]
  }

  private func removal(of record: CachedResponse.Record) -> [any RESPArgument] {
    [now, now, record.variant, String(record.id, radix: 16), ByteBuffer()]
  }

  /// How long a response is stored, in milliseconds; `nil` if it cannot be of use.
  func lifetime(of record: CachedResponse.Record) -> Int64? {
    let seconds = record.usefulLifetime(retention: configuration.retention, at: clock())
    let limited = min(seconds * 1000, Double(RedisLayout.longestLifetime))
    return limited >= 1 ? Int64(limited) : nil
  }

  /// The time in milliseconds since 1970.
  var now: Int64 { Int64(max(0, clock().timeIntervalSince1970 * 1000)) }
}

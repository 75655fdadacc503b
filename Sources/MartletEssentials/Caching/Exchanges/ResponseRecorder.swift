import EssentialFoundation
import MartletCore
import NIOCore

/// Stores one response while its body is read.
///
/// A small body is collected in memory. A larger one goes to a writer of the store, chunk by chunk.
final class ResponseRecorder: Sendable {
  fileprivate enum Target {
    case memory(ByteBuffer)
    case writer(any CachedResponseWriter)
    /// A chunk is being written.
    case busy
    /// The response is stored, or is not stored any more.
    case none
  }

  /// Why the rest of a body does not arrive.
  enum Cut {
    case abandoned
    case failed
  }

  fileprivate struct State {
    var target = Target.memory(ByteBuffer())
    var count: Int64 = 0
    var cut: Cut?
  }

  private let cache: SharedCache
  private let part: CombinedPart
  private let sent: SentRequest
  private let replaced: [CachedResponse.Record]
  private let filter: CacheFilter?
  private let state = Locked(State())

  private var record: CachedResponse.Record { part.record }
  private var key: CacheKey { sent.key }
  private var call: Call? { sent.request.call }

  /// - Parameters:
  ///   - part: What is stored: the response, and the stored bytes around it.
  ///   - sent: The request.
  ///   - replaced: The stored responses that are removed when this one is stored.
  ///   - cache: Where it is stored. Its errors are reported to the call.
  ///   - filter: Decides what is stored. With `nil`, all is.
  init(
    _ part: CombinedPart, to sent: SentRequest, replacing replaced: [CachedResponse.Record],
    in cache: SharedCache, filter: CacheFilter?
  ) {
    self.cache = cache
    self.part = part
    self.sent = sent
    self.replaced = replaced
    self.filter = filter
  }

  /// Begins to store a body. One that is known to be too large for memory goes to a writer from its first byte.
  ///
  /// - Returns: Whether it is stored: not if it is too large for the store, or was delivered elsewhere.
  func begin(_ body: ResponseBody) async -> Bool {
    guard body.kind == .buffered || body.kind == .streamed else { return false }
    let whole = record.part == nil ? body.bytes.map { Int64($0.readableBytes) } : nil
    guard let length = whole ?? record.storedLength, length > Int64(cache.largestBufferedBody)
    else { return true }
    guard let writer = await cache.makeWriter(for: record, key: key, of: call) else { return false }
    state.withLock { $0.target = .writer(writer) }
    return true
  }

  /// Stores a body that is in memory, and returns whether it is stored.
  func store(_ bytes: ByteBuffer) async -> Bool {
    await append(bytes)
    return await finish()
  }

  /// Appends the next bytes of the body.
  func append(_ chunk: ByteBuffer) async {
    if let before = part.before, state.withLock({ $0.count == 0 }) { await copy(before) }
    await add(chunk)
  }

  /// Appends stored bytes.
  private func copy(_ stored: ResponseBody) async {
    do {
      for try await chunk in stored { await add(chunk) }
    } catch {
      cache.report(error, to: call)
      _ = takeTarget()
    }
  }

  private func add(_ chunk: ByteBuffer) async {
    let target = state.withLock { $0.add(chunk, upTo: cache.largestBufferedBody) }
    guard let target else { return }
    let next = await write(chunk, to: target)
    let cut = state.withLock { state in
      state.target = next
      return state.cut
    }
    if let cut { await finishPart(cut) }
  }

  private func write(_ chunk: ByteBuffer, to target: Target) async -> Target {
    do {
      switch target {
      case .none, .busy: return .none
      case .memory(let bytes):
        guard let writer = await cache.makeWriter(for: record, key: key, of: call) else {
          return .none
        }
        if bytes.readableBytes > 0 { try await writer.write(bytes) }
        try await writer.write(chunk)
        return .writer(writer)
      case .writer(let writer):
        try await writer.write(chunk)
        return target
      }
    } catch {
      cache.report(error, to: call)
      return .none
    }
  }

  /// Stores the response, after its whole body, and returns whether it is stored.
  @discardableResult
  func finish() async -> Bool {
    if let after = part.after { await copy(after) }
    let count = state.withLock { $0.count }
    let target = takeTarget()
    // A body that has another length than the server said is not stored.
    guard (record.storedLength ?? count) == count else { return false }
    return await store(record, from: target)
  }

  /// Ends the recording: the rest of the body does not arrive, or is not read. What has arrived is stored if it can be
  /// completed.
  func cut(isFailure: Bool) {
    let cut = isFailure ? Cut.failed : .abandoned
    let mayStore = state.withLock { state in
      state.cut = cut
      switch state.target {
      case .memory(let bytes): return bytes.readableBytes > 0
      case .writer: return true
      case .busy, .none: return false
      }
    }
    if mayStore { cache.recordings.begin(record.id) { await self.finishPart(cut) } }
  }

  /// Stores what has arrived, if it can be completed and is more than is stored already.
  func finishPart(_ cut: Cut) async {
    let (target, count) = (takeTarget(), state.withLock { $0.count })
    guard count > part.storedCount, let part = record.part(of: count) else {
      return cut == .failed ? await removeUncompleted() : ()
    }
    let isWhole = part.total.map { part.bytes == 0..<$0 } ?? false
    // A body that fails behind its last byte has another length than the server said.
    guard !isWhole || cut == .abandoned else { return await removeUncompleted() }
    var record = record
    record.part = isWhole ? nil : part
    _ = await store(record, from: target)
  }

  /// Removes the stored beginning that was to be completed, and of which nothing more has arrived. The next request is one
  /// for the whole body, so that a server with wrong ranges does not let each fail.
  private func removeUncompleted() async {
    if let beginning = part.completed { await cache.remove(beginning, for: key, of: call) }
  }

  private func takeTarget() -> Target {
    state.withLock { state in
      defer { state.target = .none }
      return state.target
    }
  }

  /// Stores the response, unless those of its URL were removed since its request was sent.
  private func store(_ record: CachedResponse.Record, from target: Target) async -> Bool {
    guard cache.removalCount(of: key.url) == sent.removalCount else { return false }
    switch target {
    case .none, .busy: return false
    case .memory(let bytes):
      let response = CachedResponse(record, body: ResponseBody(bytes: bytes))
      guard let wanted = filter.map({ $0(response) }) ?? response else { return false }
      await removeReplaced()
      return await cache.store(wanted, for: key, of: call)
    case .writer(let writer):
      // The bytes of a large body are in the writer. The hook may change the rest.
      let response = CachedResponse(record, body: ResponseBody(discardedWith: nil))
      guard let wanted = filter.map({ $0(response) }) ?? response else { return false }
      await removeReplaced()
      do {
        try await writer.finish(wanted.record)
        cache.count { $0.stored += 1 }
        return true
      } catch {
        cache.report(error, to: call)
        return false
      }
    }
  }

  private func removeReplaced() async {
    for record in replaced { await cache.remove(record, for: key, of: call) }
  }
}

extension ResponseRecorder.State {
  /// Adds a chunk, if the body fits in memory. Else it returns where the chunk is written.
  fileprivate mutating func add(_ chunk: ByteBuffer, upTo limit: Int) -> ResponseRecorder.Target? {
    count += Int64(chunk.readableBytes)
    guard case .memory(var bytes) = target, bytes.readableBytes + chunk.readableBytes <= limit
    else {
      defer { target = .busy }
      return target
    }
    target = .busy
    // Nothing else refers to the bytes, so that they are not copied.
    if bytes.readableBytes == 0 { bytes = chunk } else { bytes.writeImmutableBuffer(chunk) }
    target = .memory(bytes)
    return nil
  }
}

extension CachedResponse.Record {
  /// Returns the part that is stored of a body that was cut short; `nil` if the rest cannot be requested (RFC 9111
  /// §3.3).
  fileprivate func part(of count: Int64) -> Part? {
    guard count > 0, head.status == .ok, metadata.entityTag?.isStrong == true,
      head.headers[.acceptRanges]?.asciiLowercased != "none"
    else { return nil }
    let start = part?.bytes.lowerBound ?? 0
    return Part(bytes: start..<start + count, total: part?.total ?? head.announcedLength)
  }
}

import EssentialFoundation
import MartletCore
import NIOCore

/// Stores one response while its body is read.
///
/// A small body is collected in memory. A larger one goes to a writer of the store, chunk by chunk.
final class ResponseRecorder: Sendable {
  private enum Target {
    case memory(ByteBuffer)
    case writer(any CachedResponseWriter)
    /// A chunk is being written.
    case busy
    /// The response is stored, or is not stored any more.
    case none
  }

  private struct State {
    var target = Target.memory(ByteBuffer())
    var count: Int64 = 0
    var isCut = false
  }

  private let cache: SharedCache
  private let part: CombinedPart
  private let key: CacheKey
  private let call: Call?
  private let filter: CacheFilter?
  private let state = Locked(State())

  private var record: CachedResponse.Record { part.record }

  /// - Parameters:
  ///   - part: What is stored: the response, and the stored bytes around it.
  ///   - key: The key of the response.
  ///   - cache: Where it is stored.
  ///   - call: Errors of the store are reported to this call.
  ///   - filter: Decides what is stored. With `nil`, all is.
  init(
    _ part: CombinedPart, for key: CacheKey, in cache: SharedCache, of call: Call?,
    filter: CacheFilter?
  ) {
    self.cache = cache
    self.part = part
    self.key = key
    self.call = call
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

  /// Stores a body that is in memory.
  func store(_ bytes: ByteBuffer) async {
    await append(bytes)
    await finish()
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
    let target = state.withLock { state in
      defer { state.target = .busy }
      state.count += Int64(chunk.readableBytes)
      return state.target
    }
    let next = await write(chunk, to: target)
    let isCut = state.withLock { state in
      state.target = next
      return state.isCut
    }
    if isCut { await finishPart() }
  }

  private func write(_ chunk: ByteBuffer, to target: Target) async -> Target {
    switch target {
    case .none, .busy: return .none
    case .memory(var bytes):
      guard bytes.readableBytes + chunk.readableBytes > cache.largestBufferedBody else {
        if bytes.readableBytes == 0 { bytes = chunk } else { bytes.writeImmutableBuffer(chunk) }
        return .memory(bytes)
      }
      guard let writer = await cache.makeWriter(for: record, key: key, of: call) else {
        return .none
      }
      if bytes.readableBytes > 0, case .none = await write(bytes, to: .writer(writer)) {
        return .none
      }
      return await write(chunk, to: .writer(writer))
    case .writer(let writer):
      do {
        try await writer.write(chunk)
        return target
      } catch {
        cache.report(error, to: call)
        return .none
      }
    }
  }

  /// Stores the response, after its whole body.
  func finish() async {
    if let after = part.after { await copy(after) }
    let count = state.withLock { $0.count }
    let target = takeTarget()
    // A body that has another length than the server said is not stored.
    guard (record.storedLength ?? count) == count else { return }
    await store(record, from: target)
  }

  /// Ends the recording: the rest of the body does not arrive. What has arrived is stored if it can be completed.
  func cut() {
    let mayStore = state.withLock { state in
      state.isCut = true
      switch state.target {
      case .memory(let bytes): return bytes.readableBytes > 0
      case .writer: return true
      case .busy, .none: return false
      }
    }
    if mayStore { Task { await finishPart() } }
  }

  private func finishPart() async {
    let (target, count) = (takeTarget(), state.withLock { $0.count })
    guard let part = record.part(of: count) else { return }
    var record = record
    record.part = part
    await store(record, from: target)
  }

  private func takeTarget() -> Target {
    state.withLock { state in
      defer { state.target = .none }
      return state.target
    }
  }

  private func store(_ record: CachedResponse.Record, from target: Target) async {
    switch target {
    case .none, .busy: return
    case .memory(let bytes):
      let response = CachedResponse(record, body: ResponseBody(bytes: bytes))
      guard let wanted = filter.map({ $0(response) }) ?? response else { return }
      await cache.store(wanted, for: key, of: call)
    case .writer(let writer):
      // The bytes of a large body are in the writer. The hook may change the rest.
      let response = CachedResponse(record, body: ResponseBody(discardedWith: nil))
      guard let wanted = filter.map({ $0(response) }) ?? response else { return }
      do {
        try await writer.finish(wanted.record)
        cache.count { $0.stored += 1 }
      } catch {
        cache.report(error, to: call)
      }
    }
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

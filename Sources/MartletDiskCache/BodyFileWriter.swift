import CMartletZlib
import EssentialFoundation
import MartletCore
import MartletEssentials
import NIOCore

/// Writes the body of one response to a file. The file is removed when the writer is released before the end, and when
/// the body is too large.
final class BodyFileWriter: CachedResponseWriter {
  private let cache: DiskResponseCache
  private let key: CacheKey
  private let number: Int64
  private let file: OpenFile
  private let state = Locked(State())

  private struct State {
    var length: Int64 = 0
    var checksum = Checksum()
    var isStored = false
  }

  init(_ cache: DiskResponseCache, for key: CacheKey) throws {
    self.cache = cache
    self.key = key
    (number, file) = try cache.files.create()
  }

  deinit {
    guard !state.current.isStored else { return }
    // Not on the thread that has released the writer, because removing a large file takes long.
    Task { [files = cache.files, number] in files.remove([number]) }
  }

  func write(_ bytes: ByteBuffer) async throws {
    try await runOnGlobalExecutor { try await append(bytes) }
  }

  @concurrent
  private func append(_ bytes: ByteBuffer) async throws {
    let length = state.withLock { state in
      state.length += Int64(bytes.readableBytes)
      state.checksum.add(bytes)
      return state.length
    }
    guard length <= cache.largestBody else { return cache.files.remove([number]) }
    try file.write(bytes)
  }

  func finish(_ record: CachedResponse.Record) async throws {
    let state = state.current
    guard state.length <= cache.largestBody, await isComplete(state.length) else { return }
    let row = StoredRow(
      record, .file(number), length: state.length, checksum: state.checksum.value, at: cache.time)
    try await cache.insert(row, record, for: key)
    self.state.withLock { $0.isStored = true }
  }
}

extension BodyFileWriter {
  /// Whether the file is still there. All files may have been removed while it was written.
  private func isComplete(_ length: Int64) async -> Bool {
    await runOnGlobalExecutor { await has(length) }
  }

  @concurrent
  private func has(_ length: Int64) async -> Bool { cache.files.has(number, length: length) }
}

/// The CRC-32 of a body, which tells accidental damage.
struct Checksum: Sendable {
  private var current = crc32(0, nil, 0)

  init() {}

  init(_ bytes: ByteBuffer) {
    add(bytes)
  }

  var value: UInt32 { UInt32(truncatingIfNeeded: current) }

  mutating func add(_ bytes: ByteBuffer) {
    current = bytes.withUnsafeReadableBytes { bytes in
      crc32_z(current, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
    }
  }
}

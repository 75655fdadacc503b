import EssentialFoundation
import HTTPTypes
import MartletCore
import NIOCore

@testable import MartletDiskCache
@testable import MartletEssentials

/// A folder for a cache, with a clock that the test moves. The folder is removed at the end.
final class CacheFolder: Sendable {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("martlet-cache-\(UUID().uuidString)")
  private let time = Locked(Date())

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  var now: Date { time.current }

  /// Moves the clock.
  func wait(_ seconds: TimeInterval) {
    time.withLock { $0 += seconds }
  }

  /// A cache in the folder, as a process has it.
  func cache(capacity: Int64 = 64 << 20) -> DiskResponseCache {
    DiskResponseCache(directory: url, capacity: capacity) { [time] in time.current }
  }

  /// The names of the files of large bodies.
  var bodies: [String] {
    (try? FileManager.default.contentsOfDirectory(
      atPath: url.appendingPathComponent("bodies-1").path)) ?? []
  }

  var database: URL { url.appendingPathComponent("cache-1.sqlite") }
  var damaged: URL { url.appendingPathComponent("damaged.sqlite") }

  func body(_ name: String) -> URL {
    url.appendingPathComponent("bodies-1").appendingPathComponent(name)
  }
}

extension DiskResponseCache {
  /// Stores a response with a body of some bytes.
  func put(_ name: String, _ count: Int = 10, _ vary: [HTTPField.Name: [String]] = [:]) async throws
  {
    let record = CachedResponse.Record(
      head: ResponseHead(status: .ok, headers: [.cacheControl: "max-age=60"]),
      url: URL(fileURLWithPath: "/"), requestTime: now, responseTime: now, varyHeaders: vary)
    let bytes = ByteBuffer(repeating: UInt8(truncatingIfNeeded: count), count: count)
    try await store(CachedResponse(record, body: ResponseBody(bytes: bytes)), for: .named(name))
  }

  /// The lengths of the bodies that are stored with a name.
  func lengths(_ name: String) async throws -> [Int] {
    var lengths: [Int] = []
    for response in try await responses(for: .named(name)) {
      lengths.append(try await response.body.collect().readableBytes)
    }
    return lengths.sorted()
  }
}

extension CacheKey {
  static func named(_ name: String) -> CacheKey {
    CacheKey(url: "http://h/\(name)", credentialsDigest: nil)
  }
}

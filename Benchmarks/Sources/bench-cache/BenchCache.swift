import CUsage
import Foundation
import Martlet
import MartletDiskCache
import NIOCore

/// Measures the cache on disk, and prints a table: bench-cache [BYTES]. BYTES is the size of the large body; the default
/// is 1 GiB.
@main
struct BenchCache {
  static func main() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let size = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1 << 30
    print("| what | Martlet | in comparison | ratio |\n|---|--:|--:|--:|")
    try await smallHit(in: folder)
    try await opening(in: folder)
    try await largeHit(of: size, in: folder)
    try await besideFoundation(in: folder)
  }

  /// A stored response of 1 KiB, and a file of the same size that is opened, read and closed.
  @concurrent
  private static func smallHit(in folder: URL) async throws {
    let cache = DiskResponseCache(directory: folder.appending(path: "small"))
    for number in 0..<1000 { try await cache.store(.sample(1024), for: .sample(number)) }
    let file = folder.appending(path: "file")
    try Data(count: 1024).write(to: file)
    var (hits, reads) = ([Double](), [Double]())
    for _ in 0..<5 {
      hits.append(try await lookUp(in: cache))
      reads.append(
        try await cpu(20_000) { _ in
          let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
          var bytes = [UInt8](repeating: 0, count: 1024)
          precondition(read(descriptor, &bytes, 1024) == 1024)
          close(descriptor)
        })
    }
    row("a hit of 1 KiB; open, read, close", median(hits) * 1e6, median(reads) * 1e6, "µs")
  }

  /// Look-ups of 1 KiB in memory and on disk, and the same in `URLCache`.
  @concurrent
  private static func besideFoundation(in folder: URL) async throws {
    let caches: [(String, any ResponseCache, FoundationCache)] = [
      ("in memory", MemoryResponseCache(capacity: 64 << 20), try FoundationCache(in: nil)),
      (
        "on disk", DiskResponseCache(directory: folder.appending(path: "own")),
        try FoundationCache(in: folder.appending(path: "foundation"))
      ),
    ]
    for (place, cache, other) in caches {
      for number in 0..<1000 { try await cache.store(.sample(1024), for: .sample(number)) }
      var (hits, others) = ([Double](), [Double]())
      for _ in 0..<5 {
        hits.append(try await lookUp(in: cache))
        others.append(try await cpu(2000) { try other.hit($0) })
      }
      row("a look-up \(place); in URLCache", median(hits) * 1e6, median(others) * 1e6, "µs")
    }
  }

  /// The first look-up in a cache with 100 000 responses.
  @concurrent
  private static func opening(in folder: URL) async throws {
    let directory = folder.appending(path: "many")
    let filling = DiskResponseCache(directory: directory, capacity: 4 << 30)
    for number in 0..<100_000 { try await filling.store(.sample(512), for: .sample(number)) }
    let (start, memory) = (usage_now().wall, usage_resident_memory())
    let cache = DiskResponseCache(directory: directory, capacity: 4 << 30)
    let found = try await cache.responses(for: .sample(77_777))
    precondition(found.count == 1)
    row("opening 100 000 responses, by the clock", (usage_now().wall - start) * 1000, nil, "ms")
    for number in stride(from: 0, to: 100_000, by: 7) {
      _ = try await cache.responses(for: .sample(number))
    }
    row("memory that it then needs", Double(usage_resident_memory() - memory) / 1024, nil, "MiB")
  }

  /// A large stored body, and its file read in pieces of 256 KiB.
  @concurrent
  private static func largeHit(of size: Int, in folder: URL) async throws {
    let directory = folder.appending(path: "large")
    let cache = DiskResponseCache(directory: directory, capacity: Int64(size) * 8)
    let record = CachedResponse.sample(0).record
    let writer = try await cache.makeWriter(for: record, key: .sample(0))
    let piece = ByteBuffer(repeating: 7, count: 1 << 20)
    for _ in 0..<size >> 20 { try await writer?.write(piece) }
    try await writer?.finish(record)
    let bodies = directory.appending(path: "bodies-1")
    let name = try FileManager.default.contentsOfDirectory(atPath: bodies.path)[0]
    var (hits, reads) = ([Double](), [Double]())
    for _ in 0..<3 {
      hits.append(
        try await cpu(1) { _ in
          var count = 0
          for response in try await cache.responses(for: .sample(0)) {
            for try await chunk in response.body { count += chunk.readableBytes }
          }
          precondition(count == (size >> 20) << 20)
        })
      reads.append(
        try await cpu(1) { _ in
          let descriptor = open(bodies.appending(path: name).path, O_RDONLY | O_CLOEXEC)
          let bytes = UnsafeMutableRawPointer.allocate(byteCount: 256 << 10, alignment: 16)
          while read(descriptor, bytes, 256 << 10) > 0 {}
          bytes.deallocate()
          close(descriptor)
        })
    }
    row(
      "a hit of \(size >> 20) MiB; its file read", median(hits) * 1000, median(reads) * 1000, "ms")
  }

  /// The CPU time of a look-up in a cache with 1000 responses of 1 KiB, in seconds.
  private static func lookUp(in cache: any ResponseCache) async throws -> Double {
    try await cpu(20_000) { number in
      let found = try await cache.responses(for: .sample(number % 1000))
      precondition(found.first?.body.bytes?.readableBytes == 1024)
    }
  }

  /// The CPU time of one call, in seconds.
  private static func cpu(_ count: Int, _ body: (Int) async throws -> Void) async throws -> Double {
    let start = usage_now().cpu
    for number in 0..<count { try await body(number) }
    return (usage_now().cpu - start) / Double(count)
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  private static func row(_ what: String, _ own: Double, _ other: Double?, _ unit: String) {
    let text = { (number: Double) in String(format: "%.2f %@", number, unit as NSString) }
    let ratio = other.map { String(format: "%.3g", own / $0) } ?? "–"
    print("| \(what) | \(text(own)) | \(other.map(text) ?? "–") | \(ratio) |")
  }
}

extension CachedResponse {
  static func sample(_ length: Int) -> CachedResponse {
    let head = ResponseHead(
      status: .ok,
      headers: [
        .contentType: "application/json", .cacheControl: "max-age=3600", .eTag: "\"tern\"",
        .contentLength: "\(length)", .date: "Sun, 06 Nov 1994 08:49:37 GMT", .server: "martlet",
      ])
    let record = Record(
      head: head, url: URL(fileURLWithPath: "/"), requestTime: Date(), responseTime: Date())
    return CachedResponse(
      record, body: ResponseBody(bytes: ByteBuffer(repeating: 7, count: length)))
  }
}

extension CacheKey {
  static func sample(_ number: Int) -> CacheKey {
    CacheKey(url: "https://api.example.com/birds/\(number)", credentialsDigest: nil)
  }
}

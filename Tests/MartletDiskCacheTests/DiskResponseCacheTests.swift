import EssentialFoundation
import HTTPTypes
import Martlet
import MartletCore
import MartletTesting
import NIOCore
import Testing

@testable import MartletDiskCache
@testable import MartletEssentials

@Suite(.timeLimit(.minutes(5)))
struct DiskResponseCacheTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("martlet-cache-\(UUID().uuidString)")

  @Test(arguments: ResponseCacheRule.all)
  func `the cache keeps the rules of its protocol`(_ rule: ResponseCacheRule) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try await rule.check(DiskResponseCache(directory: folder, capacity: 64 << 20))
  }
}

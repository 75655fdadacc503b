import Foundation
import Martlet
import MartletDiskCache
import Testing

/// What scripts/interop-cache has stored, after its server has stopped.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(if: ProcessInfo.processInfo.environment["CACHE_URL"] != nil))
struct OfflineTests {
  private let environment = ProcessInfo.processInfo.environment

  private func send(_ path: String, _ policy: Request.CachePolicy) async throws -> Response {
    let directory = try #require(environment["CACHE_DIRECTORY"])
    let session = HTTPSessionManager(baseURL: URL(string: environment["CACHE_URL"] ?? "")) {
      $0.cache = DiskResponseCache(directory: URL(fileURLWithPath: directory))
    }
    return try await session.response(.get, path) { $0.options.cachePolicy = policy }
  }

  @Test(arguments: ["stale/text.txt", "plain/random.bin"])
  func `a stored response of any age is used when the policy allows it`(path: String) async throws {
    for policy in [
      Request.CachePolicy.returnCacheDataElseLoad, .returnCacheDataDontLoad,
    ] {
      let response = try await send(path, policy)
      #expect(response.status == .ok)
      #expect(try await response.data().count > 100_000)
    }
  }

  @Test func `what is not stored is requested, or is an error at once`() async throws {
    var error = await #expect(throws: MartletError.self) {
      try await send("never/stored", .returnCacheDataElseLoad)
    }
    #expect(error?.code == .connectionFailed)
    error = await #expect(throws: MartletError.self) {
      try await send("never/stored", .returnCacheDataDontLoad)
    }
    #expect(error?.code == .notCached)
  }
}

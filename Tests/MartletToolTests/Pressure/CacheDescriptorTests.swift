#if os(Linux)
import EssentialFoundation
import ExitTesting
import Martlet
import MartletDiskCache
import MartletTesting
import TestTiming
import Testing

/// A cache on disk in a process without free file descriptors.
@Suite(.blocksAThread, .timeLimit(.minutes(20)))
struct CacheDescriptorTests {
  @Test(arguments: [false, true])
  func `requests succeed without their cache, which has its responses when there are some again`(
    isOpen: Bool
  ) async throws {
    await #expect(processExitsWith: .success) { [isOpen] in
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      defer { try? FileManager.default.removeItem(at: folder) }
      let server = try await LoopbackServer.start()
      let stored = Request(url: server.url("/cache/60"))
      let other = Request(url: server.url("/get"))
      #expect(try await Self.session(folder).send(stored).status == .ok)
      let session = Self.session(folder)
      // Its connection is open, and perhaps its cache.
      #expect(try await session.send(isOpen ? stored : other).status == .ok)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()

      let holder = DescriptorHolder()
      for _ in 0..<3 { #expect(try await session.send(stored).status == .ok) }
      holder.release()
      let isHit = try await inTime(.seconds(1)) {
        try await session.send(stored).cacheStatus?.isHit
      }
      #expect(isHit == true)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == names)
      await session.shutDown()
      await server.stop()
    }
  }

  private static func session(_ folder: URL) -> URLSessionManager {
    var configuration = SessionConfiguration()
    configuration.cache = DiskResponseCache(directory: folder)
    return URLSessionManager(configuration: configuration)
  }
}
#endif

import EssentialFoundation
import HTTPTypes
import Martlet
import MartletDiskCache
import MartletTesting
import NIOCore
import TestTiming
import Testing

/// A disk that becomes full when a part of a body has been written.
extension FullDiskTests {
  @Test(arguments: [false, true])
  func `a download of which a part is written goes on when there is room`(isStored: Bool)
    async throws
  {
    let disk = try SmallDisk()
    defer { disk.remove() }
    let server = try await LoopbackServer.start()
    let session = URLSessionManager()
    let file = disk.url.appendingPathComponent("file")
    let store = DownloadStore(folder: disk.url.appendingPathComponent("store"))
    // This route answers range requests, and sends an entity tag.
    let request = Request(url: server.url("/range/600000"))
    func download(_ data: ResumeData?) async throws -> DownloadedFile {
      guard isStored else { return try await session.download(request, to: file, resuming: data) }
      return try await session.download(request, to: file, store: store)
    }

    try disk.fill(leaving: 200_000)
    var data: ResumeData?
    // The second time, the disk is full from the beginning.
    for _ in 0..<2 {
      let known = data
      let error = await #expect(throws: MartletError.self) { try await download(known) }
      #expect(error?.code == .fileNotWritable)
      #expect(error?.message.contains("No space left on device") == true)
      let next = try #require(
        isStored ? store.downloads.first?.resumeData : error?.resumeData)
      #expect(next.received >= max(known?.received ?? 0, 100_000))
      #expect(try Data(contentsOf: next.file).count >= next.received)
      data = next
    }

    try disk.free()
    let complete = try await download(data)
    #expect(complete.response.status == .partialContent)
    let alphabet = String(repeating: "abcdefghijklmnopqrstuvwxyz", count: 23_077)
    let expected = Data(alphabet.utf8.prefix(600_000))
    #expect(try Data(contentsOf: file) == expected)
    await session.shutDown()
    await server.stop()
  }

  @Test func `a response that the cache has no room for is delivered, and others stay stored`()
    async throws
  {
    let disk = try SmallDisk()
    defer { disk.remove() }
    let body = ByteBuffer(repeating: 1, count: 600_000)
    let server = try await LoopbackServer.start(
      router: ServerRouter([
        .get("/small") { _ in ServerResponse(headers: [.cacheControl: "max-age=60"]) },
        .get("/large") { _ in
          ServerResponse(headers: [.cacheControl: "max-age=60"], body: .bytes(body))
        },
      ]))
    var configuration = SessionConfiguration()
    let folder = disk.url.appendingPathComponent("cache")
    configuration.cache = DiskResponseCache(directory: folder)
    let session = URLSessionManager(configuration: configuration)
    let (small, large) = (Request(url: server.url("/small")), Request(url: server.url("/large")))
    _ = try await session.send(small)

    try disk.fill(leaving: 200_000)
    for _ in 0..<3 {
      let response = try await session.send(large)
      #expect(response.cacheStatus?.isHit == false)
      #expect(try await response.body.collect(upTo: 1 << 20) == body)
      #expect(try await session.send(small).cacheStatus?.isHit == true)
      // What was written of the body is removed soon.
      try await eventually {
        try !FileManager.default.subpathsOfDirectory(atPath: folder.path)
          .contains { $0.hasPrefix("bodies-") && $0.contains("/") }
      }
    }

    try disk.free()
    _ = try await session.send(large)
    let hit = try await session.send(large)
    #expect(hit.cacheStatus?.isHit == true)
    #expect(try await hit.body.collect(upTo: 1 << 20) == body)
    await session.shutDown()
    await server.stop()
  }
}

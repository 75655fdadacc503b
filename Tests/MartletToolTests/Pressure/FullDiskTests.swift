import EssentialFoundation
import HTTPTypes
import Martlet
import MartletDiskCache
import MartletHAR
import MartletTesting
import NIOCore
import Testing

/// A disk that is full, in each place that writes a file.
@Suite(.enabled(if: SmallDisk.isAvailable), .serialized, .timeLimit(.minutes(5)))
struct FullDiskTests {
  /// What writes a file.
  enum Writer: CaseIterable {
    case body, download, storedDownload, form, archive, cookies

    /// Writes the file, in place of one with the same name.
    func write(_ file: URL, from server: LoopbackServer, by session: URLSessionManager)
      async throws
    {
      var request = Request(url: server.url("/bytes/200000"))
      switch self {
      case .body:
        request.delivery = Delivery(.file(FileDestination(url: file)))
        _ = try await session.send(request)
      case .download:
        _ = try await session.download(request, to: file, replacesExisting: true)
      case .storedDownload:
        let store = DownloadStore(folder: file.deletingLastPathComponent())
        _ = try await session.download(request, to: file, replacesExisting: true, store: store)
      case .form:
        request = Request(
          .post, url: request.url, body: .bytes(ByteBuffer(repeating: 1, count: 200_000)))
        _ = try await HTTPRequestSerializer().request(from: request, writingStreamContentsTo: file)
      case .archive:
        try HTTPArchiveRecorder().write(to: file)
      case .cookies:
        let jar = CookieJar()
        try jar.set(Cookie(setCookie: "a=b", from: request.url))
        try CookieFile(file).save(jar)
      }
    }
  }

  @Test(arguments: Writer.allCases)
  func `the error names the file and the reason, and what was there stays`(_ writer: Writer)
    async throws
  {
    let disk = try SmallDisk()
    let server = try await LoopbackServer.start()
    let session = URLSessionManager()
    let file = disk.url.appendingPathComponent("file")
    let before = Data("# Netscape HTTP Cookie File\n".utf8)
    try before.write(to: file)

    try disk.fill()
    let error = await #expect(throws: MartletError.self) {
      try await writer.write(file, from: server, by: session)
    }
    #expect(error?.code == .fileNotWritable)
    #expect(error?.message.contains(disk.url.path) == true)
    #expect(error?.message.contains("No space left on device") == true)
    #expect(try Data(contentsOf: file) == before)

    try disk.free()
    let freed = ContinuousClock.now
    try await writer.write(file, from: server, by: session)
    #expect(freed.duration(to: .now) < .seconds(1))
    #expect(try Data(contentsOf: file) != before)
    let names = try FileManager.default.contentsOfDirectory(atPath: disk.url.path)
    #expect(names.filter { !$0.hasSuffix(".lock") } == ["file"])

    await session.shutDown()
    await server.stop()
    try disk.remove()
  }

  @Test func `requests succeed without their cache, and it works again when there is room`()
    async throws
  {
    let disk = try SmallDisk()
    let server = try await LoopbackServer.start()
    var configuration = SessionConfiguration()
    configuration.cache = DiskResponseCache(directory: disk.url.appendingPathComponent("cache"))
    let session = URLSessionManager(configuration: configuration)
    let request = Request(url: server.url("/cache/60"))
    try disk.fill()
    for _ in 0..<3 { #expect(try await session.send(request).status == .ok) }
    try disk.free()
    _ = try await session.send(request)
    #expect(try await session.send(request).cacheStatus?.isHit == true)
    await session.shutDown()
    await server.stop()
    try disk.remove()
  }
}

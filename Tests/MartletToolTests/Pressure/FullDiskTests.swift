import EssentialFoundation
import HTTPTypes
import Martlet
import MartletDiskCache
import MartletHAR
import MartletTesting
import NIOCore
import TestTiming
import Testing

@testable import MartletTool

/// A disk that is full, in each place that writes a file.
@Suite(.enabled(if: SmallDisk.isAvailable), .serialized, .timeLimit(.minutes(5)))
struct FullDiskTests {
  /// What writes a file.
  enum Writer: CaseIterable {
    case body, decodedBody, cachedBody, download, storedDownload, movedDownload, form, archive
    case cookies, session

    /// Those that write 200,000 bytes.
    static let ofMuch = [
      Self.body, .decodedBody, .cachedBody, .download, .storedDownload, .movedDownload, .form,
    ]

    /// A file that is replaced.
    var before: String {
      switch self {
      case .session: #"{"martletSession": 1, "servers": {}, "cookies": []}"#
      default: "# Netscape HTTP Cookie File\n"
      }
    }

    /// Writes the file, in place of one with the same name.
    func write(_ file: URL, from server: LoopbackServer, by session: URLSessionManager)
      async throws
    {
      var request = Request(url: server.url("/bytes/200000"))
      switch self {
      case .body:
        request.delivery = Delivery(.file(FileDestination(url: file)))
        _ = try await session.send(request)
      case .decodedBody:
        request = Request(url: server.url("/compressed"))
        request.delivery = Delivery(.file(FileDestination(url: file)))
        _ = try await session.send(request)
      case .cachedBody:
        request = Request(url: server.url("/stored"))
        _ = try await session.send(request)
        request.delivery = Delivery(.file(FileDestination(url: file)))
        let response = try await session.send(request)
        #expect(response.cacheStatus?.isHit == true)
      case .movedDownload:
        // The store is on another disk, which has room.
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
          UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = DownloadStore(folder: folder)
        _ = try await session.download(request, to: file, replacesExisting: true, store: store)
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
      case .session:
        let file = SessionFile(path: file.path)
        try file.save(SessionContents(), since: file.read())
      }
    }
  }

  /// The routes of httpbin, a body that is compressed, and one that may be stored, each of 200,000 bytes.
  private static func startServer() async throws -> LoopbackServer {
    let body = ByteBuffer(repeating: 1, count: 200_000)
    let compressed = try Deflate.compressed(body, as: .gzip)
    return try await LoopbackServer.start(
      router: ServerRouter(
        ServerRouter.httpbin().routes + [
          .get("/compressed") { _ in
            ServerResponse(headers: [.contentEncoding: "gzip"], body: .bytes(compressed))
          },
          .get("/stored") { _ in
            ServerResponse(headers: [.cacheControl: "max-age=60"], body: .bytes(body))
          },
        ]))
  }

  @Test(arguments: Writer.allCases)
  func `the error names the file and the reason, and what was there stays`(_ writer: Writer)
    async throws
  {
    try await write(by: writer, withRoomFor: 0)
  }

  @Test(arguments: Writer.ofMuch)
  func `of a disk that becomes full meanwhile, nothing stays in use`(_ writer: Writer)
    async throws
  {
    try await write(by: writer, withRoomFor: 100_000)
  }

  /// Writes a file of which the disk has room for some bytes only, and again when there is enough.
  private func write(by writer: Writer, withRoomFor room: Int) async throws {
    let disk = try SmallDisk()
    defer { disk.remove() }
    let server = try await Self.startServer()
    var configuration = SessionConfiguration()
    configuration.cache = MemoryResponseCache()
    let session = URLSessionManager(configuration: configuration)
    let file = disk.url.appendingPathComponent("file")
    let before = Data(writer.before.utf8)
    try before.write(to: file)

    try disk.fill(leaving: room)
    let error = await #expect(throws: (any Error).self) {
      try await writer.write(file, from: server, by: session)
    }
    let message = (error as? MartletError)?.message ?? (error as? ToolFailure)?.message
    if writer != .session { #expect((error as? MartletError)?.code == .fileNotWritable) }
    // A store writes down first what it is about to load.
    let name = writer == .storedDownload ? "" : "/file”"
    #expect(message?.hasPrefix("“\(disk.url.path)\(name)") == true)
    #expect(message?.hasSuffix("” could not be written: No space left on device.") == true)
    #expect(try Data(contentsOf: file) == before)
    #expect(try disk.names == ["file"])

    try disk.free()
    try await inTime(.seconds(1)) { try await writer.write(file, from: server, by: session) }
    #expect(try Data(contentsOf: file) != before)
    #expect(try disk.names == ["file"])

    await session.shutDown()
    await server.stop()
  }

  @Test func `requests succeed without their cache, and it works again when there is room`()
    async throws
  {
    let disk = try SmallDisk()
    defer { disk.remove() }
    let server = try await LoopbackServer.start()
    var configuration = SessionConfiguration()
    configuration.cache = DiskResponseCache(directory: disk.url.appendingPathComponent("cache"))
    let session = URLSessionManager(configuration: configuration)
    let request = Request(url: server.url("/cache/60"))
    try disk.fill()
    for _ in 0..<3 { #expect(try await session.send(request).status == .ok) }
    try disk.free()
    let isHit = try await inTime(.seconds(1)) {
      _ = try await session.send(request)
      return try await session.send(request).cacheStatus?.isHit
    }
    #expect(isHit == true)
    await session.shutDown()
    await server.stop()
  }
}

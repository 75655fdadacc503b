import Foundation
import HTTPTypes
import MartletTesting
import NIOCore
import TestTiming
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Downloads that outlive their process.
@Suite(.timeLimit(.minutes(5)))
struct DownloadStoreTests {
  private let session = URLSessionManager()
  private let folder: TemporaryFolder
  private let store: DownloadStore
  private var target: URL { folder.url.appendingPathComponent("target") }

  init() throws {
    folder = try TemporaryFolder()
    store = DownloadStore(folder: folder.url.appendingPathComponent("store"))
  }

  private static let begin = Script.respond(
    "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 10\r\n\r\nabcd")
  private static let rest = Script.respond(
    "HTTP/1.1 206 P\r\nContent-Length: 6\r\nContent-Range: bytes 4-9/10\r\n\r\nefghij")

  private var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: store.folder.path))?.sorted() ?? []
  }

  private var text: String? { try? String(contentsOf: target, encoding: .utf8) }

  /// Downloads the first four bytes of ten.
  private func begin(_ url: URL, headers: HTTPFields = [:]) async throws -> StoredDownload {
    let request = Request(url: url, headers: headers)
    let error = await failure {
      try await session.download(request, to: target, store: store)
    }
    #expect(error?.code == .bodyTruncated)
    return try #require(try store.downloads.first { $0.resumeData.url == url })
  }

  @Test func `what broke off is listed, and goes on where it ended`() async throws {
    let server = try await ScriptedServer.start(Self.begin, Self.rest)
    let download = try await begin(server.url("/big"), headers: [.userAgent: "x"])
    #expect(download.destination == target)
    #expect(download.resumeData.received == 4 && download.resumeData.length == 10)
    #expect(download.resumeData.entityTag == "\"a\"")
    #expect(names == ["\(download.id).json", "\(download.id).part"])
    #expect(!FileManager.default.fileExists(atPath: target.path))
    // A process of its own would have neither this session nor this store.
    let restarted = DownloadStore(folder: store.folder)
    let file = try await URLSessionManager().resume(
      try #require(try restarted.downloads.first), in: restarted)
    #expect(file.url == target)
    #expect(text == "abcdefghij")
    #expect(names == [])
    #expect(server.receivedRequests[1].header("Range") == "bytes=4-")
    #expect(server.receivedRequests[1].header("User-Agent") == "x")
    #expect(try store.downloads == [])
  }

  @Test func `downloading the same again goes on, to another place it does not`() async throws {
    let server = try await ScriptedServer.start(Self.begin, .text("other"), Self.rest)
    let request = Request(url: server.url())
    _ = try await begin(server.url())
    let other = folder.url.appendingPathComponent("other")
    _ = try await session.download(request, to: other, store: store)
    #expect(try String(contentsOf: other, encoding: .utf8) == "other")
    _ = try await session.download(request, to: target, store: store)
    #expect(text == "abcdefghij")
    #expect(server.receivedRequests.map { $0.header("Range") } == [nil, nil, "bytes=4-"])
  }

  @Test func `a folder that has been moved is no obstacle`() async throws {
    let server = try await ScriptedServer.start(Self.begin, Self.rest)
    _ = try await begin(server.url())
    let moved = DownloadStore(folder: folder.url.appendingPathComponent("moved"))
    try FileManager.default.moveItem(at: store.folder, to: moved.folder)
    _ = try await session.resume(try #require(try moved.downloads.first), in: moved)
    #expect(text == "abcdefghij")
  }

  @Test func `a server that has something else by now has it written from the start`() async throws
  {
    let server = try await ScriptedServer.start(
      Self.begin,
      .respond("HTTP/1.1 200 OK\r\nETag: \"b\"\r\nContent-Length: 5\r\n\r\nne"),
      .respond("HTTP/1.1 206 P\r\nContent-Length: 3\r\nContent-Range: bytes 2-4/5\r\n\r\nwer"))
    let first = try await begin(server.url())
    let download = try await begin(server.url())
    #expect(download.resumeData.entityTag == "\"b\"" && download.resumeData.received == 2)
    #expect(download.startDate == first.startDate)
    _ = try await session.resume(download, in: store)
    #expect(text == "newer")
    #expect(server.receivedRequests[2].header("If-Range") == "\"b\"")
  }

  @Test func `the record is there before the first byte, and before any answer`() async throws {
    let server = try await ScriptedServer.start(
      .silent,
      .respond("HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 10\r\n\r\na").then(.stall))
    for received in [Int64(0), 1] {
      let download = Task {
        try await session.download(Request(url: server.url()), to: target, store: store)
      }
      try await eventually {
        server.receivedRequests.count == received + 1
          && (try? store.downloads.first?.resumeData.received) == received
      }
      let stored = try #require(try store.downloads.first)
      #expect(stored.resumeData.entityTag == (received == 0 ? nil : "\"a\""))
      download.cancel()
      _ = await failure { try await download.value }
    }
    // It was cancelled: what it has is kept, for that is what a store is for.
    #expect(try store.downloads.first?.resumeData.received == 1)
  }

  @Test func `a partial file that has gone begins the download anew`() async throws {
    let server = try await ScriptedServer.start(Self.begin, .text("new"))
    let download = try await begin(server.url())
    download.resumeData.discard()
    _ = try await session.resume(download, in: store)
    #expect(text == "new")
    #expect(server.receivedRequests[1].header("Range") == nil)
  }

  @Test func `a partial file longer than the whole begins the download anew`() async throws {
    let server = try await ScriptedServer.start(Self.begin, .text("new"))
    let download = try await begin(server.url())
    try Data("longer than ten".utf8).write(to: download.resumeData.file)
    _ = try await session.resume(download, in: store)
    #expect(text == "new")
    #expect(server.receivedRequests[1].header("Range") == nil)
    #expect(names == [])
  }

  @Test func `the store makes its folder for its owner alone, and the folders around it`()
    async throws
  {
    let server = try await ScriptedServer.start(Self.begin)
    let around = folder.url.appendingPathComponent("missing")
    let deep = DownloadStore(folder: around.appendingPathComponent("store"))
    let error = await failure {
      try await session.download(Request(url: server.url()), to: target, store: deep)
    }
    #expect(error?.code == .bodyTruncated)
    let permissions = try [around, deep.folder].map { folder in
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
      return try #require(attributes[.posixPermissions] as? NSNumber).intValue
    }
    #expect(permissions[0] & 0o050 == 0o050)
    #expect(permissions[1] == 0o700)
  }

  @Test func `a file in place of the store's folder is an error that names it`() async throws {
    let server = try await ScriptedServer.start(.text("new"))
    try Data("mine".utf8).write(to: store.folder)
    let error = await failure {
      try await session.download(Request(url: server.url()), to: target, store: store)
    }
    #expect(error?.code == .fileNotWritable)
    #expect(
      error?.message
        == "“\(store.folder.path)” is not a folder, so it cannot hold incomplete downloads: move it away."
    )
    #expect(try String(contentsOf: store.folder, encoding: .utf8) == "mine")
  }

  @Test func `a record that cannot be read is an error that says what to do`() async throws {
    let server = try await ScriptedServer.start(Self.begin, .text("new"))
    let download = try await begin(server.url())
    let record = store.folder.appendingPathComponent("\(download.id).json")
    try Data("{".utf8).write(to: record)
    #expect(try store.downloads == [])
    let error = await failure { try await session.resume(download, in: store) }
    #expect(error?.code == .invalidResumeData)
    #expect(
      error?.message
        == "The record of a download, “\(record.path)”, cannot be read: remove it to download from the beginning."
    )
    #expect(names.contains("\(download.id).part"))
    try store.remove(download)
    #expect(names == [])
    _ = try await session.resume(download, in: store)
    #expect(text == "new")
  }

  @Test func `a download that is under way can be neither resumed nor removed`() async throws {
    let server = try await ScriptedServer.start(Self.begin.then(.stall))
    let url = server.url("/big")
    let download = Task {
      try await session.download(Request(url: url), to: target, store: store)
    }
    try await eventually { (try? store.downloads.first?.resumeData.received) == 4 }
    let stored = try #require(try store.downloads.first)
    for work in [
      { try await session.resume(stored, in: store) as Any },
      { try store.remove(stored) as Any },
    ] as [() async throws -> Any] {
      let error = await failure(work)
      #expect(error?.code == .downloadInUse)
      #expect(
        error?.message
          == "“\(url.absoluteString)” is being downloaded to the same place already: wait for that to end, or choose another place."
      )
    }
    #expect(server.receivedRequests.count == 1)
    download.cancel()
    _ = await failure { try await download.value }
    try store.remove(stored)
    #expect(names == [])
  }

  @Test func `another process that holds the lock is respected, and a dead one is not`()
    async throws
  {
    let server = try await ScriptedServer.start(.text("new"))
    let request = Request(url: server.url())
    let lock = StoreFiles(store.folder, id: StoredDownload.id(request.url, target)).lock
    try FileManager.default.createDirectory(at: store.folder, withIntermediateDirectories: true)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
    process.arguments = [lock.path, "-c", "echo held; read line"]
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    #expect(output.fileHandleForReading.availableData == Data("held\n".utf8))
    let error = await failure { try await session.download(request, to: target, store: store) }
    #expect(error?.code == .downloadInUse)
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(names == ["\(lock.lastPathComponent)"])
    _ = try await session.download(request, to: target, store: store)
    #expect(text == "new")
    #expect(names == [])
  }

  @Test func `an answer that leaves nothing of use leaves nothing`() async throws {
    let server = try await ScriptedServer.start(
      .text("sorry", status: 404),
      .respond("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabcd"))
    for _ in 0..<2 {
      _ = await failure {
        try await session.download(Request(url: server.url()), to: target, store: store)
      }
      #expect(names == [])
    }
    #expect(try folder.names == ["store"])
  }

  @Test func `an answer that is no body leaves what is there`() async throws {
    let server = try await ScriptedServer.start(Self.begin, .text("sorry", status: 503), Self.rest)
    let download = try await begin(server.url())
    let error = await failure { try await session.resume(download, in: store) }
    #expect(error?.code == .unacceptableStatusCode)
    _ = try await session.resume(download, in: store)
    #expect(text == "abcdefghij")
  }

  @Test func `a session that is over costs nothing that is there`() async throws {
    let server = try await ScriptedServer.start(Self.begin, Self.rest)
    let download = try await begin(server.url())
    let over = URLSessionManager()
    over.invalidateSession(cancelingTasks: true)
    let error = await failure { try await over.resume(download, in: store) }
    #expect(error?.code == .shutDown)
    _ = try await session.resume(download, in: store)
    #expect(text == "abcdefghij")
  }

  @Test func `folder and records are for their owner's eyes only`() async throws {
    let server = try await ScriptedServer.start(Self.begin)
    let download = try await begin(server.url(), headers: [.authorization: "secret"])
    for (path, permissions) in [
      (store.folder.path, 0o700), (store.folder.path + "/\(download.id).json", 0o600),
    ] {
      let values = try FileManager.default.attributesOfItem(atPath: path)
      #expect((values[.posixPermissions] as? NSNumber)?.intValue == permissions)
    }
    #expect(!"\(download)".contains("secret"))
  }

  @Test func `a manager downloads by way of a store, too`() async throws {
    let server = try await LoopbackServer.start()
    let api = HTTPSessionManager(baseURL: server.url("/"))
    let file = try await api.download("range/100000", to: folder.url, store: store)
    #expect(file.url.lastPathComponent == "100000")
    #expect(try Data(contentsOf: file.url).count == 100_000)
    #expect(names == [])
  }
}

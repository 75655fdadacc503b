import EssentialFoundation
import Foundation
import HTTPTypes
import Martlet
import MartletTesting
import NIOCore
import SpecificationCoverage
import TestTiming
import Testing

/// Downloads that go on where they ended.
@Suite(.timeLimit(.minutes(5)))
struct ResumeTests {
  private let session = URLSessionManager()
  private let folder: TemporaryFolder
  private var target: URL { folder.url.appendingPathComponent("target") }

  init() throws {
    folder = try TemporaryFolder()
    session.completionQueue = .global()
  }

  private static let begin =
    "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 10\r\n\r\nabcd"

  private static func rest(_ fields: String = "Content-Range: bytes 4-9/10\r\n") -> Script {
    .respond(
      "HTTP/1.1 206 Partial Content\r\nConnection: close\r\nContent-Length: 6\r\n\(fields)\r\nefghij"
    )
  }

  /// A download that breaks off after `abcd` of ten letters, and then goes on with `next`.
  private func resume(_ next: Script..., headers: HTTPFields = [:]) async throws
    -> (Result<DownloadedFile, MartletError>, ScriptedServer)
  {
    let server = try await ScriptedServer.start(.respond(Self.begin))
    for script in next { server.enqueue(script) }
    let request = Request(url: server.url("/big"), headers: headers)
    let error = await failure { try await session.download(request, to: target) }
    let data = try #require(error?.resumeData)
    #expect(data.received == 4)
    #expect(data.length == 10)
    #expect(try Data(contentsOf: data.file) == Data("abcd".utf8))
    #expect(data.file.deletingLastPathComponent().path == folder.url.path)
    do {
      return (
        .success(try await session.download(request, to: target, resuming: data)), server
      )
    } catch {
      return (.failure(try #require(error as? MartletError)), server)
    }
  }

  private var text: String? { try? String(contentsOf: target, encoding: .utf8) }

  // MARK: Going on

  @Test(.covers("SES-D9"))
  func `a download that broke off goes on with what is missing`() async throws {
    let (end, server) = try await resume(Self.rest())
    #expect(try end.get().url == target)
    #expect(text == "abcdefghij")
    #expect(try folder.names == ["target"])
    let asked = server.receivedRequests[1]
    #expect(asked.header("Range") == "bytes=4-")
    #expect(asked.header("If-Range") == "\"a\"")
    #expect(asked.header("Accept-Encoding") == "identity")
    #expect(server.receivedRequests[0].header("Range") == nil)
    #expect(server.receivedRequests[0].header("Accept-Encoding") == "identity")
  }

  @Test func `a body that comes in chunks goes on as well`() async throws {
    let (end, _) = try await resume(
      .respond(
        "HTTP/1.1 206 P\r\nContent-Range: bytes 4-9/*\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nefghij\r\n0\r\n\r\n"
      ))
    #expect(try end.get().url == target)
    #expect(text == "abcdefghij")
  }

  @Test func `a server that gives a part at a time is asked until there is no more`() async throws {
    let part = "HTTP/1.1 206 P\r\nConnection: close\r\nContent-Length: 3\r\nContent-Range: bytes "
    let (end, server) = try await resume(
      .respond(part + "4-6/10\r\n\r\nefg"), .respond(part + "7-9/10\r\n\r\nhij"))
    #expect(try end.get().url == target)
    #expect(text == "abcdefghij")
    #expect(server.receivedRequests.map { $0.header("Range") } == [nil, "bytes=4-", "bytes=7-"])
  }

  @Test func `while the total is unknown, the server is asked until there is no more`() async throws
  {
    let part = "HTTP/1.1 206 P\r\nConnection: close\r\nContent-Length: 3\r\nContent-Range: bytes "
    let server = try await ScriptedServer.start(
      .respond(part + "4-6/*\r\n\r\nefg"), .respond(part + "7-9/*\r\n\r\nhij"),
      .status(416, ["Content-Range": "bytes */10"]))
    let data = try partial("abcd", of: server.url())
    _ = try await session.download(Request(url: server.url()), to: target, resuming: data)
    #expect(text == "abcdefghij")
    #expect(
      server.receivedRequests.map { $0.header("Range") } == ["bytes=4-", "bytes=7-", "bytes=10-"])
  }

  @Test(arguments: ["\"a\"", "\"b\""])
  func `a server that sends all again has it written from the start`(tag: String) async throws {
    let (end, server) = try await resume(
      .respond("HTTP/1.1 200 OK\r\nETag: \(tag)\r\nContent-Length: 3\r\n\r\nnew"))
    #expect(try end.get().url == target)
    #expect(text == "new")
    #expect(server.receivedRequests.count == 2)
  }

  @Test func `a server that ignores the condition is asked again for the whole`() async throws {
    let (end, server) = try await resume(
      Self.rest("Content-Range: bytes 4-9/10\r\nETag: \"b\"\r\n"), .text("new"))
    #expect(try end.get().url == target)
    #expect(text == "new")
    #expect(server.receivedRequests.map { $0.header("Range") } == [nil, "bytes=4-", nil])
  }

  @Test func `416 for something shorter has the whole asked for`() async throws {
    let (end, _) = try await resume(
      .status(416, ["Content-Range": "bytes */3"]), .text("new"))
    #expect(try end.get().url == target)
    #expect(text == "new")
  }

  @Test func `416 that says that all is there completes the file`() async throws {
    let server = try await ScriptedServer.start(.status(416, ["Content-Range": "bytes */4"]))
    let data = try partial("abcd", of: server.url())
    let reached = Locked(TransferProgress())
    let file = try await session.download(
      Request(url: server.url()), to: target, resuming: data
    ) { progress in
      reached.withLock { $0 = progress }
    }
    #expect(file.url == target)
    #expect(text == "abcd")
    #expect(try folder.names == ["target"])
    #expect(reached.current.fractionCompleted == 1)
  }

  @Test func `the digest of what was there says nothing about what comes in its place`()
    async throws
  {
    let server = try await ScriptedServer.start(.text("new"))
    var data = try partial("abcd", of: server.url())
    data.digest = "sha-256=:\(Data(count: 32).base64EncodedString()):"
    _ = try await session.download(Request(url: server.url()), to: target, resuming: data)
    #expect(text == "new")
  }

  @Test func `the digest of the page that comes with 416 says nothing about the file`() async throws
  {
    let zeros = Data(count: 32).base64EncodedString()
    let server = try await ScriptedServer.start(
      .status(416, ["Content-Range": "bytes */4", "Repr-Digest": "sha-256=:\(zeros):"]))
    let data = try partial("abcd", of: server.url())
    _ = try await session.download(Request(url: server.url()), to: target, resuming: data)
    #expect(text == "abcd")
  }

  @Test func `an answer over HTTP/2 goes on as well`() async throws {
    let server = try await LoopbackServer.start(priorKnowledge: true)
    var configuration = SessionConfiguration()
    configuration.versions = .http2
    let session = URLSessionManager(configuration: configuration)
    let request = Request(url: server.url("/range/300000?duration=20"))
    let download = Task { try await session.download(request, to: target) }
    try await eventually {
      session.downloadTasks.first?.call.downloadTransfer.completed ?? 0 > 0
    }
    let data = try #require(await session.downloadTasks.first?.cancelByProducingResumeData())
    _ = await failure { try await download.value }
    #expect((1..<300_000).contains(data.received) && data.length == 300_000)
    var rest = data
    rest.url = server.url("/range/300000")
    _ = try await session.download(Request(url: rest.url), to: target, resuming: rest)
    let letters = (0..<300_000).map { UInt8(ascii: "a") + UInt8($0 % 26) }
    #expect(try Data(contentsOf: target) == Data(letters))
  }

  @Test func `a partial file that has become shorter goes on from what is there`() async throws {
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 206 P\r\nContent-Length: 2\r\nContent-Range: bytes 2-3/4\r\n\r\ncd"))
    var data = try partial("ab", of: server.url())
    data.received = 3
    _ = try await session.download(Request(url: server.url()), to: target, resuming: data)
    #expect(text == "abcd")
    #expect(server.receivedRequests.first?.header("Range") == "bytes=2-")
  }

  @Test func `what a partial file has beyond what counts is cut off`() async throws {
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 206 P\r\nContent-Length: 2\r\nContent-Range: bytes 2-3/4\r\n\r\ncd"))
    var data = try partial("ab and more", of: server.url())
    data.received = 2
    _ = try await session.download(Request(url: server.url()), to: target, resuming: data)
    #expect(text == "abcd")
  }

  @Test func `the name that came with the first part still holds`() async throws {
    let server = try await ScriptedServer.start(
      .respond(
        "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Disposition: attachment; filename=x.txt\r\nContent-Length: 10\r\n\r\nabcd"
      ), Self.rest())
    let request = Request(url: server.url("/big"))
    let error = await failure { try await session.download(request, to: folder.url) }
    let data = try #require(error?.resumeData)
    let file = try await session.download(request, to: folder.url, resuming: data)
    #expect(file.url.lastPathComponent == "x.txt")
    #expect(try folder.names == ["x.txt"])
  }

  @Test(.covers("SES-P4"))
  func `progress begins with what is there`() async throws {
    let server = try await ScriptedServer.start(Self.rest())
    let data = try partial("abcd", of: server.url())
    let seen = Locked<[TransferProgress]>([])
    _ = try await session.download(Request(url: server.url()), to: target, resuming: data) { now in
      seen.withLock { $0.append(now) }
    }
    #expect(seen.current.first?.completed == 4)
    #expect(seen.current.last?.completed == 10)
    #expect(seen.current.allSatisfy { $0.total == 10 && $0.resumeOffset == 4 })
  }

  @Test func `what came before says nothing about the rate`() {
    let progress = TransferProgress(
      completed: 90, total: 100, elapsed: .seconds(2), resumeOffset: 80)
    #expect(progress.bytesPerSecond == 5)
    #expect(progress.timeRemaining == .seconds(2))
  }

  // MARK: Tasks

  @Test(.covers("SES-D9", "SES-P4"))
  func `a cancelled task gives resume data, and another goes on from it`() async throws {
    let server = try await ScriptedServer.start(
      .respond(Self.begin).then(.stall), Self.rest())
    let task = session.downloadTask(with: Request(url: server.url())) { _, file, error in
      #expect(file == nil && error?.code == .cancelled && error?.resumeData != nil)
    }
    task.resume()
    try await eventually { task.call.downloadTransfer.completed == 4 }
    let data = try #require(await task.cancelByProducingResumeData())
    #expect(data.received == 4)
    #expect(task.state == .completed && task.error?.resumeData == data)
    let counts = Locked<[Int64]>([])
    let file = try await finish { completion in
      session.downloadTask(withResumeData: data) { progress in
        counts.withLock { $0.append(progress.completedUnitCount) }
      } destination: { _, response in
        #expect(response.status == .partialContent)
        return target
      } completion: {
        completion($0, $1, $2)
      }
    }
    #expect(file == target)
    #expect(text == "abcdefghij")
    #expect(counts.current.last == 10)
    #expect(!FileManager.default.fileExists(atPath: data.file.path))
  }

  @Test(.covers("SES-D9"))
  func `a task that cannot be resumed gives none and leaves nothing`() async throws {
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabcd").then(.stall))
    let request = Request(url: server.url())
    let download = Task { try await session.download(request, to: target) }
    try await eventually { session.downloadTasks.first?.call.downloadTransfer.completed == 4 }
    #expect(await session.downloadTasks.first?.cancelByProducingResumeData() == nil)
    await #expect(throws: MartletError.self) { try await download.value }
    #expect(try folder.names == [])
  }

  @Test func `without being asked for, a cancelled download leaves nothing`() async throws {
    for cancelsTask in [true, false] {
      let server = try await ScriptedServer.start(.respond(Self.begin).then(.stall))
      let request = Request(url: server.url())
      let download = Task { try await session.download(request, to: target) }
      try await eventually {
        session.downloadTasks.first?.call.downloadTransfer.completed == 4
      }
      if cancelsTask { session.downloadTasks.first?.cancel() } else { download.cancel() }
      let error = await failure { try await download.value }
      #expect(error?.code == .cancelled && error?.resumeData == nil)
      #expect(try folder.names == [])
    }
  }

  @Test func `a resumed download that is cancelled keeps what it was resumed from`() async throws {
    let server = try await ScriptedServer.start(.silent, Self.rest())
    let data = try partial("abcd", of: server.url())
    let request = Request(url: server.url())
    let download = Task { try await session.download(request, to: target, resuming: data) }
    try await server.waitForRequests(1)
    download.cancel()
    let error = await failure { try await download.value }
    #expect(error?.code == .cancelled && error?.resumeData == data)
    _ = try await session.download(request, to: target, resuming: data)
    #expect(text == "abcdefghij")
  }

  @Test func `a task that never began, one that is over, and one for data give none`() async throws
  {
    let server = try await ScriptedServer.start(.text("new"), .silent)
    let unbegun = session.downloadTask(with: Request(url: server.url())) { _, _, _ in }
    #expect(await unbegun.cancelByProducingResumeData() == nil)
    _ = try await session.download(Request(url: server.url()), to: target)
    let data = session.dataTask(with: Request(url: server.url())) { _, _, _ in }
    data.resume()
    #expect(await data.cancelByProducingResumeData() == nil)
    #expect(await data.cancelByProducingResumeData() == nil)
  }

  @Test(.covers("SES-D9"))
  func `a task whose connection is lost has resume data in its error`() async throws {
    let server = try await ScriptedServer.start(.respond(Self.begin), Self.rest())
    let error = await failure {
      try await finish { completion in
        session.downloadTask(with: Request(url: server.url())) { completion($0, $1, $2) }
      }
    }
    #expect(error?.code == .bodyTruncated)
    let data = try #require(error?.resumeData)
    #expect(data.received == 4)
    data.discard()
    #expect(!FileManager.default.fileExists(atPath: data.file.path))
  }

  @Test func `a task whose partial file is missing is an error that names it`() async throws {
    let server = try await ScriptedServer.start(Self.rest())
    var data = try partial("abcd", of: server.url())
    try FileManager.default.removeItem(at: data.file)
    data.received = 4
    let error = await failure {
      try await finish { completion in
        session.downloadTask(withResumeData: data) { completion($0, $1, $2) }
      }
    }
    #expect(error?.code == .invalidResumeData)
    #expect(
      error?.message
        == "The partial file “\(data.file.path)” is not there any more: download from the beginning."
    )
    #expect(server.connectionCount == 0)
  }

  // MARK: Helpers

  private func partial(_ text: String, of url: URL) throws -> ResumeData {
    let file = folder.url.appendingPathComponent(".partial")
    try Data(text.utf8).write(to: file)
    var data = ResumeData(url: url, file: file, received: Int64(text.utf8.count))
    data.entityTag = "\"a\""
    return data
  }

  private func finish(
    _ make: (@escaping URLSessionManager.DownloadCompletion) -> SessionTask
  ) async throws -> URL? {
    try await withCheckedThrowingContinuation { done in
      make { _, file, error in
        if let error { done.resume(throwing: error) } else { done.resume(returning: file) }
      }.resume()
    }
  }
}

/// The error of what must fail.
func failure(_ work: () async throws -> Any?) async -> MartletError? {
  do {
    Issue.record("it went well: \(String(describing: try await work()))")
    return nil
  } catch {
    return error as? MartletError
  }
}

import Foundation
import Martlet
import MartletTesting
import NIOCore
import TestTiming
import Testing

/// Servers that lie, places that are none, and resume data that is of no use.
@Suite(.timeLimit(.minutes(5)))
struct BadDownloadTests {
  private let session = URLSessionManager()
  private let folder: TemporaryFolder
  private var target: URL { folder.url.appendingPathComponent("target") }
  private var partial: URL { folder.url.appendingPathComponent(".partial") }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Goes on after `abcd` of ten letters with what the server makes of that.
  private func resume(_ script: Script, checksum: Checksum? = nil) async throws -> MartletError? {
    let server = try await ScriptedServer.start(script)
    try Data("abcd".utf8).write(to: partial)
    var data = ResumeData(url: server.url(), file: partial, received: 4)
    data.entityTag = "\"a\""
    data.length = 10
    return await failure {
      try await session.download(
        Request(url: server.url()), to: target, checksum: checksum, resuming: data)
    }
  }

  private var kept: String? { try? String(contentsOf: partial, encoding: .utf8) }

  // MARK: Servers

  @Test func `the wrong range is an error, and what is there stays`() async throws {
    let error = try await resume(
      .respond("HTTP/1.1 206 P\r\nContent-Length: 6\r\nContent-Range: bytes 2-7/10\r\n\r\ncdefgh"))
    #expect(error?.code == .wrongRange)
    #expect(
      error?.message
        == "The request was for the bytes from 4 on, but the server sent “bytes 2-7/10”: try again later, or download from the beginning."
    )
    #expect(kept == "abcd" && error?.resumeData?.received == 4)
    let silent = try await resume(.respond("HTTP/1.1 206 P\r\nContent-Length: 2\r\n\r\nef"))
    #expect(
      silent?.message
        == "The request was for the bytes from 4 on, but the server sent a part without `Content-Range`: try again later, or download from the beginning."
    )
    #expect(try folder.names == [".partial"])
  }

  @Test func `a file that the server says is shorter than it said is loaded anew`() async throws {
    let server = try await ScriptedServer.start(
      .respond(
        "HTTP/1.1 416 R\r\nConnection: close\r\nETag: \"a\"\r\nContent-Range: bytes */4\r\nContent-Length: 0\r\n\r\n"
      ), .text("abcdefghij"))
    try Data("abcd".utf8).write(to: partial)
    var data = ResumeData(url: server.url(), file: partial, received: 4)
    data.entityTag = "\"a\""
    data.length = 10
    _ = try await session.download(Request(url: server.url()), to: target, resuming: data)
    #expect(try String(contentsOf: target, encoding: .utf8) == "abcdefghij")
    #expect(server.receivedRequests.map { $0.header("Range") } == ["bytes=4-", nil])
  }

  @Test func `a part that was not asked for is no file (RFC 9110 §15.3.7)`() async throws {
    let part = "HTTP/1.1 206 P\r\nConnection: close\r\nContent-Length: 4\r\nContent-Range: bytes "
    let server = try await ScriptedServer.start(
      .respond(part + "0-3/10\r\n\r\nabcd"), .respond(part + "0-3/4\r\n\r\nabcd"),
      .respond(part + "0-3/10\r\n\r\nabcd"))
    let error = await failure { try await session.download(Request(url: server.url()), to: target) }
    #expect(error?.code == .wrongRange && error?.resumeData == nil)
    #expect(try folder.names == [])
    _ = try await session.download(Request(url: server.url()), to: target)
    #expect(try String(contentsOf: target, encoding: .utf8) == "abcd")
    let asked = try Request(
      .get, server.url().absoluteString, headers: [.range: "bytes=0-3"])
    _ = try await session.download(asked, to: target, replacesExisting: true)
    #expect(try String(contentsOf: target, encoding: .utf8) == "abcd")
  }

  @Test func `after a redirect the last request is the one that asks for a part`() async throws {
    let server = try await ScriptedServer.start(
      .redirect(to: "/other"),
      .respond(
        "HTTP/1.1 206 P\r\nConnection: close\r\nContent-Length: 4\r\nContent-Range: bytes 4-7/10\r\n\r\nefgh"
      ))
    session.onRedirect = { _, _, proposed in Request(url: proposed.url) }
    var request = Request(url: server.url())
    request.headers[.range] = "bytes=4-7"
    let error = await failure { try await session.send(request) }
    #expect(error?.code == .wrongRange)
  }

  @Test func `a folder that does not exist is an error, and no file`() async throws {
    let server = try await ScriptedServer.start(.text("tern"))
    let missing = folder.url.appendingPathComponent("missing", isDirectory: true)
    let error = await failure {
      try await session.download(Request(url: server.url("/bird.txt")), to: missing)
    }
    #expect(error?.code == .fileNotWritable)
    #expect(try folder.names.isEmpty)
    await server.stop()
  }

  @Test func `a length that does not fit its range is an error, and what is there stays`()
    async throws
  {
    let error = try await resume(
      .respond("HTTP/1.1 206 P\r\nContent-Length: 8\r\nContent-Range: bytes 4-9/10\r\n\r\nefghijkl")
    )
    #expect(error?.code == .bodyLengthMismatch)
    #expect(
      error?.message
        == "The server announced 6 bytes and sent 8: try again, or report it to the operator of the server."
    )
    #expect(kept == "abcd" && error?.resumeData?.received == 4)
  }

  @Test func `more bytes than promised are taken out again`() async throws {
    let error = try await resume(
      .respond(
        "HTTP/1.1 206 P\r\nTransfer-Encoding: chunked\r\nContent-Range: bytes 4-9/10\r\n\r\n4\r\nefgh\r\n6\r\nijklmn\r\n0\r\n\r\n"
      ))
    #expect(
      error?.message
        == "The server announced 6 bytes and sent more: try again, or report it to the operator of the server."
    )
    #expect(kept == "abcd" && error?.resumeData?.received == 4)
  }

  @Test func `fewer bytes than promised are kept`() async throws {
    let error = try await resume(
      .respond(
        "HTTP/1.1 206 P\r\nTransfer-Encoding: chunked\r\nContent-Range: bytes 4-9/10\r\n\r\n2\r\nef\r\n0\r\n\r\n"
      ))
    #expect(
      error?.message
        == "The server announced 6 bytes and sent 2: try again, or report it to the operator of the server."
    )
    #expect(kept == "abcdef" && error?.resumeData?.received == 6)
  }

  @Test func `a body that is longer than its length without a network is removed`() async throws {
    var configuration = SessionConfiguration()
    configuration.transport = InProcessTransport { request in
      let head = ResponseHead(status: .ok, headers: [.contentLength: "3", .eTag: "\"a\""])
      return Response(
        head: head, url: request.url, body: ResponseBody(bytes: ByteBuffer(string: "abcd")))
    }
    let error = await failure {
      try await URLSessionManager(configuration: configuration)
        .download(Request(.get, "http://h/x"), to: target)
    }
    #expect(error?.code == .bodyLengthMismatch && error?.resumeData == nil)
    #expect(try folder.names == [])
  }

  @Test(arguments: ["-5", "+4", "x", "99999999999999999999"])
  func `a length that is none means nothing without a network`(length: String) async throws {
    var configuration = SessionConfiguration()
    configuration.transport = InProcessTransport { request in
      let head = ResponseHead(status: .ok, headers: [.contentLength: length])
      return Response(
        head: head, url: request.url, body: ResponseBody(bytes: ByteBuffer(string: "abcd")))
    }
    _ = try await URLSessionManager(configuration: configuration)
      .download(Request(.get, "http://h/x"), to: target)
    #expect(try folder.names == ["target"])
  }

  @Test func `the answer to HEAD has a length and no body, which makes an empty file`() async throws
  {
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"))
    _ = try await session.download(Request(.head, url: server.url()), to: target)
    #expect(try Data(contentsOf: target).isEmpty)
  }

  @Test(arguments: [404, 500, 503])
  func `a status that is not acceptable leaves what is there`(status: Int) async throws {
    let error = try await resume(.text("sorry", status: status))
    #expect(error?.code == .unacceptableStatusCode)
    #expect(error?.body.map { String(buffer: $0) } == "sorry")
    #expect(kept == "abcd" && error?.resumeData?.received == 4)
  }

  @Test func `a server that cannot be reached leaves what is there`() async throws {
    let server = try ReservedPort.refusing()
    try Data("abcd".utf8).write(to: partial)
    let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
    var data = ResumeData(url: url, file: partial, received: 4)
    data.entityTag = "\"a\""
    let error = await failure {
      try await session.download(Request(url: url), to: target, resuming: data)
    }
    #expect(error?.code == .connectionFailed && error?.resumeData == data)
    #expect(kept == "abcd")
  }

  // MARK: Digests

  @Test(arguments: ["Repr-Digest", "Content-Digest"])
  func `a body that is not what the server's digest says is removed`(field: String) async throws {
    let zeros = Data(count: 32).base64EncodedString()
    let server = try await ScriptedServer.start(
      .reply(
        CannedResponse(
          200, ["ETag": "\"a\"", field: "sha-256=:\(zeros):"], "abcdefghij")))
    let error = await failure {
      try await session.download(Request(url: server.url()), to: target)
    }
    #expect(error?.code == .digestMismatch && error?.resumeData == nil)
    #expect(
      error?.message
        == "The downloaded file is damaged or not the expected one, and was removed: its sha-256 is 72399361da6a7754fec986dca5b7cbaf1c810a28ded4abaf56b2106d06cb78b0, but the server says \(String(repeating: "0", count: 64))."
    )
    #expect(try folder.names == [])
  }

  @Test func `a resumed file is checked as a whole, its part as a part`() async throws {
    let whole = try Checksum(
      "sha256:72399361da6a7754fec986dca5b7cbaf1c810a28ded4abaf56b2106d06cb78b0")
    // The digest of “efghij”.
    let part = "sha-256=:11yBohdp99iHhjwqCoQXChCRf2zmG9yYAlpYIaE1pjo=:"
    let server = try await ScriptedServer.start(
      .respond(
        "HTTP/1.1 206 P\r\nContent-Length: 6\r\nContent-Digest: \(part)\r\nContent-Range: bytes 4-9/10\r\n\r\nefghij"
      ))
    try Data("abcd".utf8).write(to: partial)
    var data = ResumeData(url: server.url(), file: partial, received: 4)
    data.entityTag = "\"a\""
    _ = try await session.download(
      Request(url: server.url()), to: target, checksum: whole, resuming: data)
    #expect(try Data(contentsOf: target) == Data("abcdefghij".utf8))
  }

  @Test func `a checksum of the caller's own counts whatever the server says`() async throws {
    let wrong = try Checksum(.sha512, bytes: Data(count: 64))
    let error = try await resume(
      .respond("HTTP/1.1 206 P\r\nContent-Length: 6\r\nContent-Range: bytes 4-9/10\r\n\r\nefghij"),
      checksum: wrong)
    #expect(error?.code == .digestMismatch)
    #expect(error?.message.contains("its sha-512 is ef6b97321f34b1fe") == true)
    #expect(error?.message.contains("but the checksum says 0000") == true)
    #expect(try folder.names == [])
  }

  @Test func `a digest may come behind the body`() async throws {
    let zeros = Data(count: 32).base64EncodedString()
    let server = try await ScriptedServer.start(
      .respond(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nRepr-Digest: sha-256=:\(zeros):\r\n\r\n"
      ))
    let error = await failure {
      try await session.download(Request(url: server.url()), to: target)
    }
    #expect(error?.code == .digestMismatch)
  }

  // MARK: Places

  @Test func `a folder in place of the file is an error before anything is written`() async throws {
    let server = try await ScriptedServer.start(.text("new"))
    let place = folder.url.appendingPathComponent("taken")
    let request = Request(url: server.url("/taken"))
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let error = await failure {
      try await session.download(request, to: folder.url, replacesExisting: true)
    }
    #expect(error?.code == .fileNotWritable)
    #expect(error?.message == "“\(place.path)” is a folder: give the file a name in it.")
    #expect(try folder.names == ["taken"])
  }

  @Test func `a pipe in place of the file is an error before anything is written`() async throws {
    let server = try await ScriptedServer.start(.text("new"))
    try #require(mkfifo(target.path, 0o600) == 0)
    let error = await failure {
      try await session.download(Request(url: server.url()), to: target, replacesExisting: true)
    }
    #expect(error?.code == .fileNotWritable)
    #expect(
      error?.message
        == "“\(target.path)” is not a regular file, and is not replaced by one: choose another name, or stream the body and write it there."
    )
    #expect(try folder.names == ["target"])
  }

  @Test(arguments: [true, false])
  func `a private file stays private and unchanged until it is replaced, and private afterwards`(
    isCompressed: Bool
  ) async throws {
    let permits = AwaitableValue(false)
    let body = ByteBuffer(string: "new")
    let bytes = isCompressed ? try Deflate.compressed(body, as: .gzip) : body
    let encoding: HTTPFields = isCompressed ? [.contentEncoding: "gzip"] : [:]
    let route = ServerRoute.get("/x") { _ in
      ServerResponse(
        headers: encoding,
        body: .producer(length: bytes.readableBytes) { write in
          var bytes = bytes
          try await write(bytes.readSlice(length: bytes.readableBytes - 1) ?? bytes)
          try await permits.wait { $0 }
          try await write(bytes)
        })
    }
    let server = try await LoopbackServer.start(router: ServerRouter([route]))
    try Data("old".utf8).write(to: target)
    try #require(chmod(target.path, 0o600) == 0)
    let download = Task {
      try await session.download(Request(url: server.url("/x")), to: target, replacesExisting: true)
    }
    try await eventually { (try? folder.names.count) == 2 }
    for name in try folder.names {
      #expect(try mode(folder.url.appendingPathComponent(name)) == 0o600)
    }
    // The file is replaced as a whole.
    #expect(try String(contentsOf: target, encoding: .utf8) == "old")
    permits.update { $0 = true }
    _ = try await download.value
    #expect(try String(contentsOf: target, encoding: .utf8) == "new")
    #expect(try mode(target) == 0o600)
    await server.stop()
  }

  @Test func `a partial file that is a symbolic link is not followed`() async throws {
    let other = folder.url.appendingPathComponent("other")
    try Data("abcd".utf8).write(to: other)
    try FileManager.default.createSymbolicLink(at: partial, withDestinationURL: other)
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 206 P\r\nContent-Length: 6\r\nContent-Range: bytes 4-9/10\r\n\r\nefghij"),
      repeatsLast: true)
    var data = ResumeData(url: server.url(), file: partial, received: 4)
    data.entityTag = "\"a\""
    data.length = 10
    let error = await failure {
      try await session.download(Request(url: server.url()), to: target, resuming: data)
    }
    #expect(error != nil)
    #expect(try String(contentsOf: other, encoding: .utf8) == "abcd")
    #expect(!FileManager.default.fileExists(atPath: target.path))
    await server.stop()
  }

  private func mode(_ url: URL) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
  }

  @Test func `a place that is taken meanwhile costs no byte`() async throws {
    let server = try await ScriptedServer.start(
      Script([
        .readRequest, .send("HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 4\r\n\r\nab"),
        .readRequest,
      ]))
    let request = Request(url: server.url())
    let download = Task { try await session.download(request, to: target) }
    try await eventually {
      let name = (try? folder.names.first) ?? ""
      return (try? Data(contentsOf: folder.url.appendingPathComponent(name)).count) == 2
    }
    try Data("old".utf8).write(to: target)
    let data = try #require(await session.downloadTasks.first?.cancelByProducingResumeData())
    _ = await failure { try await download.value }
    server.enqueue(
      .respond("HTTP/1.1 206 P\r\nContent-Length: 2\r\nContent-Range: bytes 2-3/4\r\n\r\ncd"))
    let error = await failure {
      try await session.download(request, to: target, resuming: data)
    }
    #expect(
      error?.message == "“\(target.path)” exists already: move it away, or choose another name.")
    #expect(error?.resumeData?.received == 2)
    #expect(try Data(contentsOf: target) == Data("old".utf8))
  }

  @Test func `a place that is taken costs no byte of what is there, though all would come again`()
    async throws
  {
    try Data("old".utf8).write(to: target)
    let error = try await resume(
      .respond("HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 10\r\n\r\nabcdefghij"))
    #expect(
      error?.message == "“\(target.path)” exists already: move it away, or choose another name.")
    #expect(kept == "abcd" && error?.resumeData?.received == 4)
  }

  @Test func `a file that was compressed and cannot get its name leaves what was there`()
    async throws
  {
    let server = try await LoopbackServer.start()
    try Data("old".utf8).write(to: target)
    try Data("abcd".utf8).write(to: partial)
    var data = ResumeData(url: server.url("/gzip"), file: partial, received: 4)
    data.entityTag = "\"a\""
    let error = await failure { [data] in
      try await session.download(Request(url: data.url), to: target, resuming: data)
    }
    #expect(error?.code == .fileNotWritable)
    #expect(kept == "abcd" && error?.resumeData == data)
    #expect(try folder.names == [".partial", "target"])
  }

  // MARK: Names that were given when the process died

  /// What is left when a process dies after a file got its name, and before it lost its old one.
  private func resumeNamed(_ script: Script) async throws -> MartletError? {
    let server = try await ScriptedServer.start(script)
    try Data("abcd".utf8).write(to: partial)
    try FileManager.default.linkItem(at: partial, to: target)
    var data = ResumeData(url: server.url(), file: partial, received: 4)
    data.entityTag = "\"a\""
    do {
      _ = try await session.download(Request(url: data.url), to: target, resuming: data)
      return nil
    } catch {
      return error as? MartletError
    }
  }

  @Test func `a file that has its name already is complete`() async throws {
    let error = try await resumeNamed(.status(416, ["Content-Range": "bytes */4"]))
    #expect(error == nil)
    #expect(try String(contentsOf: target, encoding: .utf8) == "abcd")
    #expect(try folder.names == ["target"])
  }

  @Test func `a file that has its name already is not written to`() async throws {
    let error = try await resumeNamed(
      .respond("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nnew"))
    #expect(error?.code == .fileNotWritable)
    #expect(try String(contentsOf: target, encoding: .utf8) == "abcd")
  }

  @Test(.enabled(if: FullDisk.isPossible))
  func `a full disk is an error in words, and what fits stays`() async throws {
    let disk = try FullDisk(megabytes: 1)
    defer { disk.unmount() }
    let server = try await LoopbackServer.start()
    let file = disk.url.appendingPathComponent("big")
    let error = await failure {
      try await session.download(Request(url: server.url("/range/5000000")), to: file)
    }
    #expect(error?.code == .fileNotWritable)
    #expect(
      error?.message
        == "“\(file.path)” could not be written: No space left on device."
    )
    var data = try #require(error?.resumeData)
    #expect(data.received > 0 && data.received <= 1 << 20)
    try FileManager.default.moveItem(at: data.file, to: partial)
    data.file = partial
    let elsewhere = try await session.download(
      Request(url: server.url("/range/5000000")), to: target, resuming: data)
    #expect(try Data(contentsOf: elsewhere.url).count == 5_000_000)
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.url.path) == [])
  }

  @Test func `a place that cannot be written to is an error in words`()
    async throws
  {
    let server = try await LoopbackServer.start()
    // No user can write there, not even root: a file in place of the folder.
    let file = folder.url.appendingPathComponent("file")
    try Data().write(to: file)
    let place = file.appendingPathComponent("x")
    let error = await failure {
      try await session.download(Request(url: server.url("/bytes/10")), to: place)
    }
    #expect(
      error?.message
        == "“\(place.path)” could not be written: Not a directory."
    )
  }

  // MARK: Resume data

  @Test func `resume data of another URL is an error, and its file stays`() async throws {
    try Data("abcd".utf8).write(to: partial)
    let other = try #require(URL(string: "http://user:secret@h/other"))
    let data = ResumeData(url: other, file: partial, received: 4)
    let error = await failure {
      try await session.download(Request(.get, "http://h/x"), to: target, resuming: data)
    }
    #expect(error?.code == .invalidResumeData)
    #expect(
      error?.message
        == "The resume data is about “http://***@h/other”, not “http://h/x”: download from the beginning."
    )
    #expect(kept == "abcd")
  }

  @Test func `resume data with a line break in its validator is an error`() async throws {
    let server = try await ScriptedServer.start(.silent)
    try Data("abcd".utf8).write(to: partial)
    var data = ResumeData(url: server.url(), file: partial, received: 4)
    data.entityTag = "\"a\"\r\nX: y"
    let error = await failure {
      try await session.download(Request(url: server.url()), to: target, resuming: data)
    }
    #expect(error?.code == .invalidHeader)
    #expect(server.connectionCount == 0)
  }
}

/// A small file system of its own, where the tests may make one.
struct FullDisk {
  let url: URL

  static let isPossible = (try? FullDisk(megabytes: 1))?.unmount() != nil

  init(megabytes: Int) throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("disk-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    guard Self.run("/bin/mount", "-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", url.path)
    else {
      try FileManager.default.removeItem(at: url)
      throw CocoaError(.fileWriteNoPermission)
    }
  }

  func unmount() {
    _ = Self.run("/bin/umount", "-l", url.path)
    try? FileManager.default.removeItem(at: url)
  }

  private static func run(_ program: String, _ arguments: String...) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}

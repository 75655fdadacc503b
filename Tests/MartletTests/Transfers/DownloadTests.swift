import EssentialFoundation
import Foundation
import Martlet
import MartletTesting
import NIOCore
import TestTiming
import Testing

/// Downloads to files.
@Suite(.timeLimit(.minutes(5)))
struct DownloadTests {
  private let server: LoopbackServer
  private let api: HTTPSessionManager
  private let folder: TemporaryFolder

  init() async throws {
    server = try await LoopbackServer.start()
    api = HTTPSessionManager(baseURL: server.url("/"))
    folder = try TemporaryFolder()
  }

  @Test func `a download ends up under the last part of its URL, with its progress at 1`()
    async throws
  {
    let reached = Locked(TransferProgress())
    let file = try await api.download("bytes/300000", to: folder.url) { progress in
      reached.withLock { $0 = progress }
    }
    #expect(file.url.lastPathComponent == "300000")
    #expect(try Data(contentsOf: file.url).count == 300_000)
    #expect(reached.current.fractionCompleted == 1)
    #expect(reached.current.completed == 300_000)
    #expect(try folder.names == ["300000"])
  }

  @Test func `the server may suggest a name, but not a place`() async throws {
    let file = try await api.download(
      "response-headers",
      parameters: ["Content-Disposition": "attachment; filename=\"../../birds.json\""],
      to: folder.url)
    #expect(file.url == folder.url.appendingPathComponent("birds.json"))
  }

  @Test func `a bad status is an error and leaves nothing`() async throws {
    await #expect {
      try await api.download("status/404", to: folder.url)
    } throws: { ($0 as? MartletError)?.message == "Request failed: not found (404)" }
    #expect(try folder.names == [])
  }

  @Test(arguments: [100, 65_536, 65_537, 3_000_000])
  func `a bad status is the error however long its page is`(length: Int) async throws {
    let api = HTTPSessionManager(baseURL: URL(string: "http://h/")) {
      $0.transport = InProcessTransport { request in
        let head = ResponseHead(status: .notFound, headers: [.contentType: "text/html"])
        let page = ByteBuffer(repeating: UInt8(ascii: "x"), count: length)
        return Response(head: head, url: request.url, body: ResponseBody(bytes: page))
      }
    }
    await #expect {
      try await api.download("page", to: folder.url)
    } throws: { error in
      let error = error as? MartletError
      return error?.message == "Request failed: not found (404)"
        && error?.body?.readableBytes == min(length, MartletError.bodyLimit)
    }
    #expect(try folder.names == [])
  }

  @Test func `a long error page from a server is no obstacle either`() async throws {
    let page = String(repeating: "x", count: 300_000)
    let scripted = try await ScriptedServer.start(.text(page, status: 404))
    await #expect {
      try await api.download(scripted.url("/page").absoluteString, to: folder.url)
    } throws: { ($0 as? MartletError)?.message == "Request failed: not found (404)" }
    await scripted.stop()
  }

  @Test func `a download is checked by the manager's own serializer`() async throws {
    struct Picky: HTTPResponseSerializing {
      struct Refused: Error {}
      var http = HTTPResponseSerializer()

      func validate(_ response: Response, data: Data) throws { throw Refused() }
      func serialize(_ response: Response, data: Data) throws -> Data { data }
    }
    api.responseSerializer = Picky()
    await #expect {
      try await api.download("bytes/10", to: folder.url)
    } throws: { error in
      let error = error as? MartletError
      return error?.code == .decodingFailed && error?.underlying is Picky.Refused
    }
    #expect(try folder.names == [])
  }

  @Test func `a file that is there already is not replaced unless asked`() async throws {
    let file = folder.url.appendingPathComponent("kept")
    try Data("mine".utf8).write(to: file)
    await #expect {
      try await api.download("bytes/10", to: file)
    } throws: { error in
      (error as? MartletError)?.message
        == "“\(file.path)” exists already: move it away, or choose another name."
    }
    #expect(try Data(contentsOf: file) == Data("mine".utf8))
    _ = try await api.download("bytes/10", to: file, replacesExisting: true)
    #expect(try Data(contentsOf: file).count == 10)
    #expect(try folder.names == ["kept"])
  }

  @Test func `what the server compresses all the same is decompressed, and cannot be resumed`()
    async throws
  {
    let body = try Deflate.compressed(ByteBuffer(string: "terns"), as: .gzip)
    var cut = body
    cut.moveWriterIndex(to: body.readableBytes - 4)
    let fields: KeyValuePairs = [
      "Content-Encoding": "gzip", "ETag": "\"a\"", "Content-Length": "\(body.readableBytes)",
    ]
    let scripted = try await ScriptedServer.start(
      .reply(CannedResponse(200, fields, bytes: body)),
      .reply(CannedResponse(200, fields, bytes: cut)))
    let path = scripted.url("/x").absoluteString
    let file = try await api.download(path, to: folder.url)
    #expect(try Data(contentsOf: file.url) == Data("terns".utf8))
    let error = await failure {
      try await api.download(path, to: folder.url, replacesExisting: true)
    }
    #expect(error?.code == .bodyTruncated && error?.resumeData == nil)
    // An error waits for its file, but not longer than a second.
    try await eventually { try folder.names == ["x"] }
    #expect(scripted.receivedRequests.first?.header("Accept-Encoding") == "identity")
  }

  @Test func `nor is it without a network`() async throws {
    let api = HTTPSessionManager(baseURL: URL(string: "http://in.process/")) {
      $0.transport = InProcessTransport.loopback
    }
    let file = try await api.download("bytes/10", to: folder.url)
    await #expect {
      try await api.download("bytes/20", to: file.url)
    } throws: { ($0 as? MartletError)?.code == .fileNotWritable }
    #expect(try Data(contentsOf: file.url).count == 10)
  }

  @Test func `a folder that does not exist is an error in words`() async throws {
    let file = folder.url.appendingPathComponent("none/file")
    await #expect {
      try await api.download("bytes/10", to: file)
    } throws: { error in
      (error as? MartletError)?.message
        == "“\(file.path)” could not be written: No such file or directory."
    }
  }

  @Test(arguments: [
    ("attachment; filename=a.txt", "a.txt"), ("attachment; filename=\"a b.txt\"", "a b.txt"),
    ("attachment; filename=x; filename*=UTF-8''%C3%A4.txt", "ä.txt"),
    ("attachment; filename*=ISO-8859-1'en'%A3%20rates", "£ rates"),
    ("attachment; filename*=iso-8859-1''..%2F%9B2Jna%EFve", "2Jnaïve"),
    ("attachment; filename*=iso-8859-1''%A; filename=plain", "plain"),
    ("attachment; filename*=iso-8859-1''%+1; filename=plain", "plain"),
    ("attachment; filename=\"/etc/passwd\"", "passwd"), ("attachment; filename=\"..\"", "page"),
    ("attachment; filename=\".bashrc\"", "bashrc"), ("attachment; filename=\"\"", "page"),
    ("attachment; filename=\"a;b.txt\"", "a;b.txt"),
    ("inline", "page"), ("attachment; filename=\"a\\\\b\"", "b"),
    ("attachment; filename*=UTF-8''gpj.%E2%80%AEexe.txt%E2%80%AC", "gpj.exe.txt"),
    ("attachment; filename*=UTF-8''%E2%81%A6a%E2%81%A9%EF%BB%BF%E2%80%8B.txt", "a.txt"),
    ("attachment; filename*=UTF-8''a%E2%80%A8b.txt", "ab.txt"),
    ("attachment; filename*=UTF-8''..%2F%CC%81b.txt", "\u{301}b.txt"),
    ("attachment; filename*=UTF-8''.%CC%81b.txt", "\u{301}b.txt"),
    ("attachment; filename*=UTF-8''.%20.b.txt", "b.txt"),
  ])
  func `a suggested name is reduced to one that is safe`(field: String, expected: String) throws {
    let head = ResponseHead(status: .ok, headers: [.contentDisposition: field])
    let url = try #require(URL(string: "http://h/dir/page?x=1"))
    #expect(head.suggestedFileName(from: url) == expected)
  }

  @Test(arguments: [
    ("", "a", 250_000, ".txt", String(repeating: "a", count: 196) + ".txt"),
    ("", "ä", 150, "", String(repeating: "ä", count: 100)),
    ("a", ".", 300, "txt", "txt"),
    ("", "b", 50, ".\(String(repeating: "a", count: 199))", String(repeating: "a", count: 199)),
    ("e", "\u{301}", 80, String(repeating: "a", count: 100), String(repeating: "a", count: 100)),
  ])
  func `of a long name the end is kept, whole characters and not hidden`(
    start: String, middle: String, count: Int, end: String, kept: String
  ) throws {
    let url = try #require(URL(string: "http://h/page"))
    let name = start + String(repeating: middle, count: count) + end
    let field = "attachment; filename=\"\(name)\""
    let head = ResponseHead(status: .ok, headers: [.contentDisposition: field])
    #expect(head.suggestedFileName(from: url) == kept)
  }

  @Test func `a download that would take too long to count has no remaining time`() {
    let slow = TransferProgress(completed: 1, total: .max, elapsed: .seconds(3600))
    #expect(slow.timeRemaining == nil)
    let quick = TransferProgress(completed: 1, total: 3, elapsed: .seconds(1))
    #expect(quick.timeRemaining == .seconds(2))
  }

  @Test func `without any name there is none`() throws {
    let url = try #require(URL(string: "http://h/"))
    #expect(ResponseHead(status: .ok).suggestedFileName(from: url) == nil)
  }
}

import EssentialFoundation
import Martlet
import MartletCore
import MartletEssentials
import MartletHAR
import MartletTesting
import NIOCore
import Testing

/// Archives of sessions in the format HAR 1.2.
@Suite(.timeLimit(.minutes(5)))
struct HTTPArchiveTests {
  private func run(
    _ scripts: [Script], _ recorder: HTTPArchiveRecorder = HTTPArchiveRecorder(),
    _ send: (URLSessionManager, ScriptedServer) async throws -> Void
  ) async throws -> [HTTPArchive.Entry] {
    let server = try await ScriptedServer.start()
    for script in scripts { server.enqueue(script) }
    var configuration = SessionConfiguration()
    configuration.observers = [recorder]
    configuration.resilience.clock = ResilienceClock(VirtualClock())
    let session = URLSessionManager(configuration: configuration)
    try await send(session, server)
    await session.shutDown()
    await server.stop()
    return recorder.archive.log.entries
  }

  @Test func `a request is an entry with its fields, its body, and its timings`() async throws {
    var url: URL?
    let entries = try await run([.text("hello")]) { session, server in
      url = server.url("/a?q=tern&n=1")
      var request = Request(.post, url: server.url("/a?q=tern&n=1"), body: .text("content"))
      request.headers[.contentType] = "text/plain"
      _ = try await session.send(request)
    }
    let entry = try #require(entries.first)
    #expect(entries.count == 1)
    #expect(entry.request.method == "POST")
    #expect(entry.request.url == url?.absoluteString)
    #expect(entry.request.httpVersion == "HTTP/1.1")
    #expect(entry.request.queryString.map { "\($0.name)=\($0.value ?? "")" } == ["q=tern", "n=1"])
    #expect(entry.request.postData?.text == "content")
    #expect(entry.request.postData?.mimeType == "text/plain")
    #expect(entry.request.bodySize == 7)
    #expect(entry.response.status == 200)
    #expect(entry.response.content.text == "hello")
    #expect(entry.response.content.size == 5)
    #expect(entry.response.content.mimeType == "text/plain; charset=utf-8")
    #expect(entry.serverIPAddress == "127.0.0.1")
    #expect(entry.connection != nil)
    let timings = entry.timings
    #expect(timings.connect ?? -1 > 0)
    #expect(timings.ssl == -1)
    let parts = [timings.blocked, timings.dns, timings.connect, timings.send, timings.wait]
    let sum = (parts + [timings.receive]).compactMap { $0 }.filter { $0 > 0 }.reduce(0, +)
    #expect(abs(sum - entry.time) < 1)
    #expect(entry.startedDateTime.hasSuffix("Z"))
  }

  @Test func `redirects, retries and failures have entries of their own`() async throws {
    let scripts: [Script] = [
      .redirect(to: "/b"), .status(503), .redirect(to: "/b"),
      .respond("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"),
    ]
    let entries = try await run(scripts) { session, server in
      var request = Request(url: server.url("/a"))
      var policy = RetryPolicy.standard
      policy.maximumAttempts = 2
      request.retryPolicy = policy
      await #expect(throws: MartletError.self) { try await session.send(request) }
    }
    #expect(entries.map(\.response.status) == [302, 503, 302, 200])
    #expect(entries.map(\.response.redirectURL) == ["/b", "", "/b", ""])
    #expect(entries.map { $0.comment == nil } == [true, true, true, false])
  }

  @Test func `a request without a response has the status 0, and its error as a comment`()
    async throws
  {
    let entries = try await run([.respond("")]) { session, server in
      await #expect(throws: MartletError.self) {
        try await session.send(Request(url: server.url("/")))
      }
    }
    #expect(entries.map(\.response.status) == [0])
    #expect(entries.first?.comment?.isEmpty == false)
  }

  @Test func `secrets are masked unless asked for`() async throws {
    for showsSecrets in [false, true] {
      let recorder =
        showsSecrets ? HTTPArchiveRecorder(showsSecrets: true) : HTTPArchiveRecorder()
      _ = try await run(
        [
          .respond(
            "HTTP/1.1 201 Created\r\nSet-Cookie: id=wren; Path=/\r\nLocation: /a?token=finch\r\nContent-Length: 0\r\n\r\n"
          )
        ],
        recorder
      ) { session, server in
        var request = Request(url: server.url("/a?api_key=robin&q=x&code=plover&a=b?token=dunlin"))
        request.headers[.authorization] = "Bearer tern"
        request.headers[.cookie] = "sid=gull"
        request.method = .post
        request.body = .bytes(ByteBuffer(string: #"{"password":"knot"}"#))
        _ = try await session.send(request)
      }
      let text = String(decoding: try JSONEncoder().encode(recorder.archive), as: UTF8.self)
      for secret in ["tern", "gull", "wren", "robin", "finch", "plover", "dunlin", "knot"] {
        #expect(text.contains(secret) == showsSecrets, "\(secret)")
      }
    }
  }

  @Test func `a body beyond the limit is not kept, and its size is`() async throws {
    let entries = try await run([.text("hello")], HTTPArchiveRecorder(bodyLimit: 4)) {
      session, server in _ = try await session.send(Request(url: server.url("/")))
    }
    #expect(entries.first?.response.content.text == nil)
    #expect(entries.first?.response.content.size == 5)
    #expect(entries.first?.response.content.comment?.isEmpty == false)
  }

  @Test func `the body of a stream is kept as its reader receives it`() async throws {
    let entries = try await run([.text("hello")]) { session, server in
      var request = Request(url: server.url("/"))
      request.delivery = .stream
      let response = try await session.send(request)
      for try await _ in response.body {}
    }
    #expect(entries.first?.response.content.text == "hello")
  }

  @Test func `a body that is not text is kept in Base64`() async throws {
    let reply = CannedResponse(
      200, ["Content-Type": "image/png"], bytes: ByteBuffer(bytes: [0xFF, 0]))
    let entries = try await run([.reply(reply)]) { session, server in
      _ = try await session.send(Request(url: server.url("/")))
    }
    #expect(entries.first?.response.content.text == "/wA=")
    #expect(entries.first?.response.content.encoding == "base64")
  }

  @Test func `of more entries than the limit, the oldest are dropped`() async throws {
    let recorder = HTTPArchiveRecorder(maximumEntries: 4)
    let texts = (1...7).map { Script.text("\($0)") }
    let entries = try await run(texts, recorder) { session, server in
      for number in 1...7 { _ = try await session.send(Request(url: server.url("/\(number)"))) }
    }
    #expect(entries.map(\.response.content.text) == ["5", "6", "7"])
    #expect(recorder.archive.log.comment == "4 earlier entries were dropped.")
  }

  @Test func `of more bytes in bodies than the limit, the oldest entries are dropped`() async throws
  {
    let recorder = HTTPArchiveRecorder(totalBodyLimit: 24)
    let count = 10
    let entries = try await run(
      Array(repeating: Script.text("razorbill"), count: count), recorder
    ) { session, server in
      for _ in 1...count {
        _ = try await session.send(Request(url: server.url("/")))
        let bodies = recorder.archive.log.entries.compactMap(\.response.content.text)
        #expect(bodies.joined().utf8.count <= 24)
      }
    }
    #expect(entries.last?.response.content.text == "razorbill")
    let dropped = count - entries.count
    #expect(recorder.archive.log.comment == "\(dropped) earlier entries were dropped.")
  }

  @Test func `a body that is nearly as long as all may be is not kept`() async throws {
    let recorder = HTTPArchiveRecorder(totalBodyLimit: 24)
    let scripts = [Script.text("tern"), .text("albatross")]
    let entries = try await run(scripts + [.text("a wandering albatross")], recorder) {
      session, server in
      for _ in 1...3 { _ = try await session.send(Request(url: server.url("/"))) }
    }
    #expect(entries.map(\.response.content.text) == ["tern", "albatross", nil])
    #expect(
      entries.last?.response.content.comment == "The body is longer than the limit of 9 bytes.")
  }

  @Test func `a body from the cache is not that of the 304`() async throws {
    let server = try await ScriptedServer.start()
    for script: Script in [
      .respond(
        "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nCache-Control: no-cache\r\nContent-Length: 6\r\n\r\nstored"
      ),
      .respond("HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n"),
    ] { server.enqueue(script) }
    let recorder = HTTPArchiveRecorder()
    var configuration = SessionConfiguration()
    configuration.observers = [recorder]
    configuration.cache = MemoryResponseCache()
    let session = URLSessionManager(configuration: configuration)
    for _ in 1...2 {
      let response = try await session.send(Request(url: server.url("/")))
      #expect(try await response.text() == "stored")
    }
    let entries = recorder.archive.log.entries
    #expect(entries.map(\.response.status) == [200, 304])
    #expect(entries.map(\.response.content.text) == ["stored", nil])
    await session.shutDown()
    await server.stop()
  }

  @Test func `the body of a download is not kept, and its size is`() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    let entries = try await run([.text("hello")]) { session, server in
      var request = Request(url: server.url("/"))
      request.delivery = .file(at: file)
      _ = try await session.send(request)
    }
    let content = try #require(entries.first).response.content
    #expect(content.size == 5)
    #expect(content.text == nil)
    #expect(content.comment == "The body is not kept.")
  }

  @Test func `a failure between two attempts has an entry of its own`() async throws {
    let entries = try await run([.redirect(to: "ftp://h/")]) { session, server in
      await #expect(throws: MartletError.self) {
        try await session.send(Request(url: server.url("/")))
      }
    }
    #expect(entries.map(\.response.status) == [302, 0])
    #expect(entries.last?.comment?.isEmpty == false)
  }

  @Test func `passwords in forms and JSON are masked, and multipart forms are not kept`()
    async throws
  {
    let entries = try await run([.json(#"{"access_token":"tern","n":1}"#), .text("")]) {
      session, server in
      var request = Request(.post, url: server.url("/"), body: .text("user=a&password=wren"))
      request.headers[.contentType] = "application/x-www-form-urlencoded"
      _ = try await session.send(request)
      request.headers[.contentType] = "multipart/form-data; boundary=x"
      _ = try await session.send(request)
    }
    #expect(entries.map(\.request.postData?.text) == ["user=a&password=***", nil])
    #expect(entries.first?.response.content.text == #"{"access_token":"***","n":1}"#)
  }

  @Test(arguments: [
    ("multipart/form-data; boundary=x", false), ("application/json", false), ("text/xml", false),
    ("application/x-www-form-urlencoded; charset=windows-1252", false), ("image/png", true),
  ])
  func `a body that is not UTF-8 is kept only if its type has no passwords`(
    type: String, isKept: Bool
  ) async throws {
    let body = RequestBody.bytes(ByteBuffer(bytes: Array("password=wren".utf8) + [0xE9]))
    for showsSecrets in [false, true] {
      let recorder = HTTPArchiveRecorder(showsSecrets: showsSecrets)
      let entries = try await run([.text("")], recorder) { session, server in
        var request = Request(.post, url: server.url("/"), body: body)
        request.headers[.contentType] = type
        _ = try await session.send(request)
      }
      let text = try #require(entries.first).request.postData?.text
      #expect((text == "cGFzc3dvcmQ9d3Jlbuk=") == (isKept || showsSecrets))
      #expect((text == nil) == !(isKept || showsSecrets))
    }
  }
}

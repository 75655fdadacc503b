import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import Testing

@Suite(.timeLimit(.minutes(5)))
struct InProcessTransportTests {
  private func request(
    _ path: String, _ delivery: Delivery = .buffered, call: Call? = nil
  ) throws -> Request {
    var request = try Request(.get, "http://test:80" + path)
    request.delivery = delivery
    request.call = call
    return request
  }

  private func answering(_ text: String) -> InProcessTransport {
    InProcessTransport { request in
      Response(
        head: ResponseHead(status: .ok, headers: [.contentLength: "\(text.utf8.count)"]),
        url: request.url, body: ResponseBody(bytes: ByteBuffer(string: text)))
    }
  }

  @Test func `a closure answers`() async throws {
    let response = try await answering("ok").send(try request("/"))
    #expect(response.status == .ok)
    #expect(response.body.bytes == ByteBuffer(string: "ok"))
  }

  @Test func `the loopback routes answer without a socket`() async throws {
    var request = try Request(.post, "https://test/post?a=b", body: .text("{\"c\":1}"))
    request.headers[.contentType] = "application/json"
    let bytes = try await InProcessTransport.loopback.send(request).body.collect()
    let json = try JSONSerialization.jsonObject(with: Data(bytes.readableBytesView))
    let object = try #require(json as? NSDictionary)
    #expect(object["url"] as? String == "https://test/post?a=b")
    #expect(object["json"] as? NSDictionary == ["c": 1])
    #expect((object["headers"] as? [String: String])?["Content-Length"] == "7")
  }

  @Test func `bodies of all kinds are collected for the routes`() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data("0123".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let bodies: [RequestBody] = [
      .text("12"), try .file(at: file, offset: 1, length: 2),
      .producer(length: nil) { write in
        try await write(ByteBuffer(string: "1"))
        try await write(ByteBuffer(string: "2"))
      },
    ]
    for body in bodies {
      let request = try Request(.put, "http://test/put", body: body)
      let text = String(buffer: try await InProcessTransport.loopback.send(request).body.collect())
      #expect(text.contains("\"data\" : \"12\""))
    }
  }

  @Test func `a buffer has a limit`() async throws {
    let fits = try await answering("12345").send(try request("/", .buffered(limit: 5)))
    #expect(fits.body.bytes?.readableBytes == 5)
    let error = await #expect(throws: MartletError.self) {
      try await answering("123456").send(try request("/", .buffered(limit: 5)))
    }
    #expect(error?.code == .bodyTooLarge)
  }

  @Test func `a stream is pulled, never pushed`() async throws {
    let response = try await InProcessTransport.loopback.send(
      try request("/stream-bytes/1099511627776?chunk_size=1000", .stream))
    var chunks = response.body.makeAsyncIterator()
    for _ in 0..<3 { #expect(try await chunks.next()?.readableBytes == 1000) }
  }

  @Test(.timeLimit(.minutes(1)))
  func `chunks that a handler writes concurrently all arrive`() async throws {
    let router = ServerRouter([
      .get("/") { _ in
        ServerResponse(
          body: .producer(length: nil) { write in
            for _ in 0..<25 {
              async let first: Void = write(ByteBuffer(string: "1234"))
              async let second: Void = write(ByteBuffer(string: "1234"))
              _ = try await (first, second)
            }
          })
      }
    ])
    let response = try await InProcessTransport(router: router).send(try request("/", .stream))
    #expect(
      try await response.body.collect() == ByteBuffer(string: String(repeating: "1234", count: 50)))
  }

  @Test func `a stream that is dropped ends its producer`() async throws {
    let ended = AwaitableValue(false)
    let router = ServerRouter([
      .get("/") { _ in
        ServerResponse(
          body: .producer(length: nil) { write in
            defer { ended.update { $0 = true } }
            while true { try await write(ByteBuffer(string: "x")) }
          })
      }
    ])
    var response: Response? = try await InProcessTransport(router: router).send(
      try request("/", .stream))
    var chunks = response?.body.makeAsyncIterator()
    #expect(try await chunks?.next() != nil)
    (response, chunks) = (nil, nil)
    try await ended.wait(within: .seconds(10), message: { _ in "It goes on." }) { $0 }
  }

  @Test func `a file appears when it is complete`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appending(path: "file")
    try Data("old".utf8).write(to: url)
    let response = try await answering("new").send(try request("/", .file(at: url)))
    #expect(response.body.file == url)
    #expect(try Data(contentsOf: url) == Data("new".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
  }

  @Test func `a file is replaced as the engine replaces it, and a part is no file`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appending(path: "file")
    try Data("old".utf8).write(to: url)
    try #require(chmod(url.path, 0o600) == 0)
    _ = try await answering("new").send(try request("/", .file(at: url)))
    let mode = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    let pipe = folder.appending(path: "pipe")
    try #require(mkfifo(pipe.path, 0o600) == 0)
    let refused = await #expect(throws: MartletError.self) {
      try await answering("new").send(try request("/", .file(at: pipe)))
    }
    #expect(refused?.code == .fileNotWritable)
    let partial = InProcessTransport { request in
      Response(
        head: ResponseHead(status: .partialContent), url: request.url,
        body: ResponseBody(bytes: ByteBuffer(string: "ne")))
    }
    let part = await #expect(throws: MartletError.self) {
      try await partial.send(try request("/", .file(at: url)))
    }
    #expect(part?.code == .wrongRange)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["file", "pipe"])
  }

  @Test func `a file that cannot be written is an error`() async throws {
    let url = URL(filePath: "/nowhere/at/all")
    let error = await #expect(throws: MartletError.self) {
      try await answering("x").send(try request("/", .file(at: url)))
    }
    #expect(error?.code == .fileNotWritable)
  }

  @Test func `a discarded body is gone`() async throws {
    let response = try await answering("x").send(try request("/", .discard))
    #expect(response.body.bytes?.readableBytes == 0)
  }

  @Test(arguments: [Delivery.buffered, .stream])
  func `observers of the call receive every event`(delivery: Delivery) async throws {
    let events = AwaitableValue<[String]>([])
    let call = Call()
    call.observe { event in events.update { $0.append("\(event)".prefix { $0 != "(" } + "") } }
    let response = try await answering("four").send(
      try request("/", delivery, call: call))
    #expect(try await response.body.collect() == ByteBuffer(string: "four"))
    #expect(
      events.current == [
        "attemptStarted", "sending", "requestSent", "responseReceived", "bodyReceived",
        "attemptFinished",
      ])
    #expect(call.downloadTransfer.completed == 4)
    #expect(call.downloadTransfer.total == 4)
  }

  @Test func `cancelling the task cancels the exchange`() async throws {
    let started = AwaitableValue(false)
    let call = Call()
    call.observe { _ in started.update { $0 = true } }
    let request = try request("/delay/10", call: call)
    let task = Task { try await InProcessTransport.loopback.send(request) }
    try await started.wait { $0 }
    task.cancel()
    let error = await #expect(throws: MartletError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }

  @Test func `what a handler throws is thrown`() async throws {
    struct Odd: Error {}
    let own = InProcessTransport { _ in throw MartletError(.unknownHost, "Nobody.") }
    let odd = InProcessTransport { _ in throw Odd() }
    let first = await #expect(throws: MartletError.self) { try await own.send(try request("/")) }
    let second = await #expect(throws: MartletError.self) { try await odd.send(try request("/")) }
    #expect(first?.code == .unknownHost)
    #expect(first?.request?.url.path == "/")
    #expect(second?.underlying is Odd)
  }

  @Test func `a HEAD has no body`() async throws {
    let request = try Request(.head, "http://test/bytes/9")
    let response = try await InProcessTransport.loopback.send(request)
    #expect(response.headers[.contentLength] == "9")
    #expect(response.body.bytes?.readableBytes == 0)
  }
}

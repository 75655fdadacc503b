// Compiled as an application would be: `import Martlet`, and no feature flag.

import Foundation
import Martlet
import MartletTesting
import Testing

/// What the verbs accept and return.
@Suite(.timeLimit(.minutes(5)))
struct VerbSampleTests {
  private let server: LoopbackServer
  private let api: HTTPSessionManager

  init() async throws {
    server = try await LoopbackServer.start()
    api = HTTPSessionManager(baseURL: server.url("/"))
  }

  // MARK: The status

  @Test func `a failed status is an error in every verb, and the result may be dropped`() async {
    for send in [
      { try await api.get("status/404") }, { try await api.head("status/404") },
      { try await api.post("status/404") }, { try await api.put("status/404") },
      { try await api.patch("status/404") }, { try await api.delete("status/404") },
    ] as [() async throws -> Void] {
      let error = await failure(send)
      #expect(error?.code == .unacceptableStatusCode)
      #expect(error?.response?.status.code == 404)
      #expect(error?.message == "Request failed: not found (404)")
    }
  }

  @Test func `the body of a failed status is in the error, also of a stream`() async throws {
    let api = manager { .text("No such bird.", to: $0, status: .notFound) }
    let error = await failure { try await api.get("birds/7") }
    #expect(error?.bodyText == "No such bird.")
    #expect(error?.request?.url.path == "/birds/7")
    let streamed = await failure { try await api.get("birds/7") { $0.delivery = .stream } }
    #expect(streamed?.bodyText == "No such bird.")
  }

  @Test func `the body of a failed status does not become a file`() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let api = manager { .text("No such bird.", to: $0, status: .notFound) }
    let error = await failure { try await api.get("birds/7") { $0.delivery = .file(at: file) } }
    #expect(error?.bodyText == "No such bird.")
    #expect(!FileManager.default.fileExists(atPath: file.path))
    defer { try? FileManager.default.removeItem(at: file) }
    try await self.api.get("bytes/10") { $0.delivery = .file(at: file) }
    #expect(try Data(contentsOf: file).count == 10)
  }

  @Test func `the statuses that the response serializer accepts are no errors`() async throws {
    api.responseSerializer.acceptableStatusCodes = [404]
    #expect(try await api.get("status/404").status == .notFound)
    #expect(await failure { try await api.get("get") }?.code == .unacceptableStatusCode)
  }

  @Test func `the raw response has any status, and can be validated`() async throws {
    let response = try await api.response(.get, "status/404")
    #expect(response.status == .notFound)
    #expect(await failure { try response.validate() }?.code == .unacceptableStatusCode)
    try response.validate(statuses: [404])
    let page = try await api.response(.get, "html")
    #expect(
      await failure { try page.validate(contentTypes: ["+json", "application/json"]) }?.code
        == .unacceptableContentType)
    try page.validate(contentTypes: ["text/html"])
    struct NoTag: Error {}
    #expect(throws: NoTag.self) {
      try page.validate { if $0.headers[.eTag] == nil { throw NoTag() } }
    }
  }

  // MARK: Configuration

  @Test func `one closure configures a request`() async throws {
    let slow = await failure {
      try await api.get("delay/10") { $0.options.timeoutInterval = .milliseconds(50) }
    }
    #expect(slow?.code == .timedOut)
    let found = try await api.response(.get, "redirect/1") {
      $0.options.redirectPolicy = .disabled
    }
    #expect(found.status == .found)
    let ada = Credential.password(user: "ada", password: "secret")
    let user = try await api.get("basic-auth/ada/secret") { $0.credential = ada }
    #expect(user.status == .ok)
    let stamped: Echo = try await api.get("get") { $0.interceptors = [Stamp(), Stamp()] }
    #expect(stamped.headers["X-Stamp"] == "2")
  }

  @Test func `what the configuration throws is an error, and nothing is sent`() async {
    struct NoKey: Error {}
    let error = await failure { try await api.get("get") { _ in throw NoKey() } }
    #expect(error?.code == .invalidRequest)
    #expect(error?.underlying is NoKey)
    #expect(
      error?.message == "The request was not sent, because its configuration threw “NoKey()”.")
    #expect(server.requestCount == 0)
  }

  // MARK: Header fields

  @Test func `header fields are a literal with variables`() async throws {
    let (key, none) = ("k-7", String?.none)
    let echo: Echo = try await api.get(
      "get", headers: ["X-Api-Key": key, .acceptLanguage: "nl", "X-None": none])
    #expect(echo.headers["X-Api-Key"] == "k-7")
    #expect(echo.headers["Accept-Language"] == "nl")
    #expect(echo.headers["X-None"] == nil)
    let others: Echo = try await api.get("get", headers: RequestHeaders(["X-A": "1"]))
    #expect(others.headers["X-A"] == "1")
    let known: Echo = try await api.get("get", headers: RequestHeaders([.referer: "http://a/"]))
    #expect(known.headers["Referer"] == "http://a/")
  }

  @Test func `a field that is marked as secret is dropped when a redirect leads to another server`()
    async throws
  {
    let other = try await LoopbackServer.start()
    let target = other.url("/get", host: "localhost").absoluteString
    let echo: Echo = try await api.get(
      "redirect-to", parameters: ["url": target],
      headers: [.secret("X-Ticket"): "k-7", "X-Trace": "1"])
    #expect(echo.headers["X-Ticket"] == nil)
    #expect(echo.headers["X-Trace"] == "1")
    let kept: Echo = try await api.get(
      "redirect-to", parameters: ["url": server.url("/get").absoluteString],
      headers: [.secret("X-Ticket"): "k-7"])
    #expect(kept.headers["X-Ticket"] == "k-7")
    let request = try api.request(.get, "get", headers: [.secret("X-Ticket"): "k-7"])
    #expect(!"\(request)".contains("k-7"))
    let headers: RequestHeaders = [
      .secret("X-Ticket"): "k-7", .authorization: "Bearer k-7", "No name": "k-7", "X-A": "1",
      "X-B": nil,
    ]
    #expect(
      "\(headers)" == "[X-Ticket: ***, Authorization: ***, No name: ***, X-A: 1, X-B: nil]")
    var dumped = ""
    dump(Endpoint<Void>(.get, "get", headers: headers), to: &dumped)
    #expect(!dumped.contains("k-7"))
    let field = HTTPField(name: .referer, value: "http://a/")
    let known: Echo = try await api.get("get", headers: RequestHeaders([field]))
    #expect(known.headers["Referer"] == "http://a/")
    await other.stop()
  }

  @Test func `a field that is nil is not sent, not even that of the serializer`() async throws {
    try api.updateRequestSerializer { try $0.http.setValue("1", forHTTPHeaderField: "X-A") }
    let echo: Echo = try await api.get("get", headers: ["X-A": nil])
    #expect(echo.headers["X-A"] == nil)
  }

  @Test(arguments: [
    ("X-A", "1\r\nX-B: 2", "The value of “X-A” is not allowed: it has control characters."),
    ("X A", "1", "“X A” is not a header name."),
  ])
  func `a field with a line break is an error`(name: String, value: String, sentence: String) async
  {
    let headers: RequestHeaders = ["\(name)": value]
    let error = await failure { try await api.get("get", headers: headers) }
    #expect(error?.code == .invalidHeader)
    #expect(server.requestCount == 0)
  }

  // MARK: Bodies

  @Test func `a body has a content type, and the parameters are in the query`() async throws {
    let text: Echo = try await api.post("post", parameters: ["a": 1], body: .text("Ä"))
    #expect(text.data == "Ä")
    #expect(text.headers["Content-Type"] == "text/plain; charset=utf-8")
    #expect(text.args == ["a": "1"])
    let json: Echo = try await api.put("put", body: .json(User(name: "Ada")))
    #expect(json.data == #"{"name":"Ada"}"#)
    #expect(json.headers["Content-Type"] == "application/json")
    let data: Echo = try await api.patch("patch", body: .data(Data("x".utf8)))
    #expect(data.headers["Content-Type"] == "application/octet-stream")
    let own: Echo = try await api.post(
      "post", body: .data(Data("x".utf8)), headers: [.contentType: "text/x-own"])
    #expect(own.headers["Content-Type"] == "text/x-own")
    try api.updateRequestSerializer {
      try $0.http.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
    let png: Echo = try await api.put("put", body: .data(Data([1]), contentType: "image/png"))
    #expect(png.headers["Content-Type"] == "image/png")
  }

  @Test func `a file has the content type of its name`() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).csv")
    try Data("a,b".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let echo: Echo = try await api.post("post", body: .file(at: file))
    #expect(echo.data == "a,b")
    #expect(echo.headers["Content-Type"] == "text/csv")
    let named: Echo = try await api.post("post", body: .file(at: file, contentType: "text/x-own"))
    #expect(named.headers["Content-Type"] == "text/x-own")
  }

  @Test func `a value that cannot be encoded is an error`() async {
    let error = await failure { try await api.post("post", body: .json([Double.nan])) }
    #expect(error?.code == .invalidParameters)
    #expect(
      error?.message.hasPrefix("The parameters cannot be encoded: Array<Double> does not") == true)
  }

  @Test(arguments: [HTTPRequest.Method.options, .query, HTTPRequest.Method("PROPFIND")])
  func `any method can be sent`(method: HTTPRequest.Method?) async throws {
    let method = try #require(method)
    let echo = try await api.response(method, "anything", body: .text("x")).decode(Echo.self)
    #expect(echo.method == method.rawValue)
  }

  // MARK: Time-outs

  @Test func `a call has a time-out of its own, however many bytes arrive`() async throws {
    let error = await failure {
      try await api.get("drip?duration=600&numbytes=6000") {
        $0.options.timeouts = .total(.milliseconds(300))
      }
    }
    #expect(error?.code == .timedOut)
    let timeouts = Timeouts.total(.seconds(5))
    #expect(timeouts.total == .seconds(5))
    #expect(timeouts.idle == Timeouts().idle)
  }

  // MARK: Progress

  @Test func `a cancelled request with progress can be sent again`() async throws {
    let isWaiting = AwaitableValue(false)
    let api = manager { request in
      if isWaiting.current { return .text("second", to: request) }
      isWaiting.update { $0 = true }
      try await Task.sleep(for: .seconds(600))
      return .text("first", to: request)
    }
    let caller = Task { try await api.get("birds", progress: { _ in }) }
    try await isWaiting.wait { $0 }
    caller.cancel()
    let error = await failure { try await caller.value }
    #expect(error?.code == .cancelled)
    let request = try #require(error?.request)
    #expect(try await api.send(request).text() == "second")
  }

  @Test func `get, post and put report their progress`() async throws {
    let (down, up) = (Latest(), Latest())
    try await api.get("bytes/300000", progress: down.set)
    #expect(down.value?.completed == 300_000)
    #expect(down.value?.fractionCompleted == 1)
    let body = Data(repeating: 7, count: 300_000)
    try await api.post("post", body: .data(body), progress: up.set)
    #expect(up.value?.completed == 300_000)
    try await api.put("put", body: .data(body)) {
      $0.options.priority = .high
    } progress: {
      up.set($0)
    }
    #expect(up.value?.fractionCompleted == 1)
  }

  @Test func `a download returns file and response`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let latest = Latest()
    let file = try await api.download("range/1000", to: folder, progress: latest.set) {
      $0.options.timeoutInterval = .seconds(20)
    }
    #expect(file.url.lastPathComponent == "1000")
    #expect(file.response.headers[.eTag] == "\"range1000\"")
    #expect(latest.value?.completed == 1000)
  }

  @Test func `the progress of a task is a sequence`() async throws {
    let task = try #require(api.dataTask(.get, "bytes/300000"))
    var last = TransferProgress()
    let updates = task.downloadUpdates
    task.resume()
    for await progress in updates { last = progress }
    #expect(last.completed == 300_000)
    #expect(last.bytesPerSecond ?? 0 > 0)
    #expect(last.timeRemaining == .zero)
  }

  // MARK: Values

  @Test func `a serializer makes the value of an async call`() async throws {
    let page: String = try await api.get("robots.txt", with: TextResponseSerializer())
    #expect(page.hasPrefix("User-agent"))
    let bytes = try await api.get("bytes/10", with: HTTPResponseSerializer())
    #expect(bytes.count == 10)
    let table = try await api.post(
      "anything", with: CompoundResponseSerializer(JSONResponseSerializer()))
    #expect(table is JSON)
  }

  @Test func `the values of the manager's own serializer need no decoder`() async throws {
    api.responseSerializer = TextResponseSerializer()
    let page: String = try await api.get("robots.txt")
    #expect(page.hasPrefix("User-agent"))
    api.responseSerializer = HTTPResponseSerializer()
    let data: Data = try await api.get("bytes/10")
    #expect(data.count == 10)
    api.responseSerializer = JSONResponseSerializer()
    let json: JSON? = try await api.get("get")
    #expect(json?["url"]?.stringValue == server.url("/get").absoluteString)
    api.responseSerializer = CompoundResponseSerializer(
      JSONResponseSerializer(), TextResponseSerializer())
    let text: String = try await api.get("robots.txt")
    #expect(text == page)
    let echo: Echo = try await api.get("get")
    #expect(echo.method == nil)
  }

  @Test func `a request of one's own is decoded`() async throws {
    let request = try api.request(.post, "post", parameters: ["name": "Ada"])
    let echo = try await api.send(request, as: Echo.self)
    #expect(echo.form == ["name": "Ada"])
  }

  // MARK: Helpers

  private struct Stamp: Interceptor {
    func send(_ request: Request, next: Next) async throws -> Response {
      var request = request
      let count = Int(request.headers[.xStamp] ?? "0") ?? 0
      request.headers[.xStamp] = String(count + 1)
      return try await next.send(request)
    }
  }

  private struct Echo: Decodable, Sendable {
    var method: String?
    var args: [String: String]
    var headers: [String: String]
    var data: String?
    var form: [String: String]?
  }

  private func manager(_ handler: @escaping InProcessTransport.Handler) -> HTTPSessionManager {
    HTTPSessionManager(baseURL: URL(string: "http://in.process/")) {
      $0.transport = InProcessTransport(handler)
    }
  }
}

extension HTTPField.Name {
  fileprivate static var xStamp: HTTPField.Name { HTTPField.Name("X-Stamp") ?? .from }
}

/// Keeps the latest progress.
final class Latest: @unchecked Sendable {
  private let lock = NSLock()
  private var progress: TransferProgress?

  var value: TransferProgress? { lock.withLock { progress } }

  @Sendable func set(_ progress: TransferProgress) {
    lock.withLock { self.progress = progress }
  }
}

/// Returns the error that a call throws.
func failure(_ call: () async throws -> Void) async -> MartletError? {
  do {
    try await call()
    return nil
  } catch {
    return error as? MartletError
  }
}

/// The same for a call whose result is dropped.
func failure<Value>(_ call: () async throws -> Value) async -> MartletError? {
  await failure { () async throws -> Void in _ = try await call() }
}

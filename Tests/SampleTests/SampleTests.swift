// Compiled as an application would be: `import Martlet`, and no feature flag.

import Foundation
import Martlet
import MartletTesting
import Testing

struct User: Codable, Equatable, Sendable {
  var id: Int?
  var name: String
}

struct NewUser: Encodable, Sendable {
  var name: String
}

struct Page: Decodable, Sendable {
  var args: [String: Tags]

  enum Tags: Decodable, Sendable, Equatable {
    case one(String)
    case many([String])

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      self = try (try? .one(value.decode(String.self))) ?? .many(value.decode([String].self))
    }
  }
}

struct CSVResponseSerializer: HTTPResponseSerializing {
  var http = HTTPResponseSerializer(acceptableContentTypes: ["text/csv"])

  func serialize(_ response: Response, data: Data) throws -> [[String]] {
    try decode(response, data: data) { data in
      let text = try TextResponseSerializer().text(of: data, in: response)
      return text.split(separator: "\n").map { $0.split(separator: ",").map(String.init) }
    }
  }
}

/// What the documentation shows, as it shows it.
@Suite(.timeLimit(.minutes(5)))
struct SampleTests {
  private let server: LoopbackServer
  private let api: HTTPSessionManager

  init() async throws {
    server = try await LoopbackServer.start()
    api = HTTPSessionManager(baseURL: server.url("/")) {
      $0.requestSerializer = JSONRequestSerializer()
      $0.timeouts.connect = .seconds(5)
    }
  }

  @Test func `a typed GET`() async throws {
    let user: User = try await api.get("response-headers?name=Ada")
    #expect(user == User(name: "Ada"))
  }

  @Test func `a typed POST of anything Encodable`() async throws {
    struct Echo: Decodable, Sendable { var json: User }
    let made: Echo = try await api.post("post", parameters: .encodable(NewUser(name: "Ada")))
    #expect(made.json.name == "Ada")
  }

  @Test func `a literal of any nesting, and the type as an argument`() async throws {
    let hits = try await api.get(
      "get", parameters: ["q": "terns", "tags": ["sea", "bird"]], as: Page.self)
    #expect(hits.args["q"] == .one("terns"))
    #expect(hits.args["tags[]"] == .many(["sea", "bird"]))
  }

  @Test func `every verb takes variables and nil in a literal`() async throws {
    let (q, page, tags) = ("terns", 2, ["sea", "bird"])
    let date = Date(timeIntervalSince1970: 978_307_205.5)
    let (limit, before) = (Int?(20), String?.none)
    let area = Area()
    let args: [String: Page.Tags] = [
      "q": .one("terns"), "page": .one("2"), "tags[]": .many(["sea", "bird"]),
      "since": .one("978307205.5"), "after": .one(""), "limit": .one("20"), "before": .one(""),
      "area[name]": .one("north"), "area[depth]": .one("95.5"),
    ]
    let json: JSON = [
      "q": "terns", "page": 2, "tags": ["sea", "bird"], "since": 5.5, "after": nil, "limit": 20,
      "before": nil, "area": ["name": "north", "depth": 95.5],
    ]

    let got: Echo = try await api.get(
      "get",
      parameters: [
        "q": q, "page": page, "tags": tags, "since": date, "after": nil, "limit": limit,
        "before": before, "area": area,
      ])
    #expect(got == Echo(args: args))
    let deleted: Echo = try await api.delete(
      "delete",
      parameters: [
        "q": q, "page": page, "tags": tags, "since": date, "after": nil, "limit": limit,
        "before": before, "area": area,
      ])
    #expect(deleted == Echo(args: args, json: nil))
    let posted: Echo = try await api.post(
      "post",
      parameters: [
        "q": q, "page": page, "tags": tags, "since": date, "after": nil, "limit": limit,
        "before": before, "area": area,
      ])
    #expect(posted == Echo(json: json))
    let put: Echo = try await api.put(
      "put",
      parameters: [
        "q": q, "page": page, "tags": tags, "since": date, "after": nil, "limit": limit,
        "before": before, "area": area,
      ])
    #expect(put == Echo(json: json))
    let patched: Echo = try await api.patch(
      "patch",
      parameters: [
        "q": q, "page": page, "tags": tags, "since": date, "after": nil, "limit": limit,
        "before": before, "area": area,
      ])
    #expect(patched == Echo(json: json))
  }

  @Test func `every verb that returns a response takes variables and nil in a literal`()
    async throws
  {
    let (q, page, tags) = ("terns", 2, ["sea", "bird"])
    let date = Date(timeIntervalSince1970: 978_307_205.5)
    let args: [String: Page.Tags] = [
      "q": .one("terns"), "page": .one("2"), "tags[]": .many(["sea", "bird"]),
      "since": .one("978307205.5"), "after": .one(""),
    ]
    let json: JSON = [
      "q": "terns", "page": 2, "tags": ["sea", "bird"], "since": 5.5, "after": nil,
    ]
    let got = try await api.get(
      "get", parameters: ["q": q, "page": page, "tags": tags, "since": date, "after": nil])
    #expect(try echo(got) == Echo(args: args))
    let head = try await api.head(
      "get", parameters: ["q": q, "page": page, "tags": tags, "since": date, "after": nil])
    // The length is that of the echo, and the body is empty.
    #expect(head.headers[.contentLength] == got.headers[.contentLength])
    #expect(head.url == got.url)
    #expect(head.body.bytes?.readableBytes == 0)
    let deleted = try await api.delete(
      "delete", parameters: ["q": q, "page": page, "tags": tags, "since": date, "after": nil])
    #expect(try echo(deleted) == Echo(args: args, json: nil))
    let posted = try await api.post(
      "post", parameters: ["q": q, "page": page, "tags": tags, "since": date, "after": nil])
    #expect(try echo(posted) == Echo(json: json))
    let put = try await api.put(
      "put", parameters: ["q": q, "page": page, "tags": tags, "since": date, "after": nil])
    #expect(try echo(put) == Echo(json: json))
    let patched = try await api.patch(
      "patch", parameters: ["q": q, "page": page, "tags": tags, "since": date, "after": nil])
    #expect(try echo(patched) == Echo(json: json))

    api.requestSerializer = HTTPRequestSerializer()
    let form = try await api.post(
      "post", parameters: ["q": q, "page": page, "tags": tags, "since": date, "after": nil])
    #expect(try echo(form) == Echo(form: args, json: nil))
    let parts = try await api.post(
      "post", parameters: ["q": q, "page": page, "tags": tags, "since": date, "after": nil]
    ) { form in form.append(text: "b", name: "part") }
    #expect(
      try echo(parts) == Echo(form: args.merging(["part": .one("b")]) { $1 }, json: nil))
  }

  @Test func `verbs with closures take variables and nil in a literal`() async throws {
    let (q, page, tags) = ("terns", 2, ["sea", "bird"])
    let date = Date(timeIntervalSince1970: 978_307_205.5)
    let args: JSON = [
      "q": "terns", "page": "2", "tags[]": ["sea", "bird"], "since": "978307205.5", "after": "",
    ]
    let json: JSON = [
      "q": "terns", "page": 2, "tags": ["sea", "bird"], "since": 5.5, "after": nil,
    ]
    let got = try await object { success, failure in
      api.get(
        "get", parameters: ["q": q, "page": page, "tags": tags, "since": date, "after": nil],
        success: success, failure: failure)
    }
    #expect(got?["args"] == args)
    let posted = try await object { success, failure in
      api.post(
        "post", parameters: ["q": q, "page": page, "tags": tags, "since": date, "after": nil],
        success: success, failure: failure)
    }
    #expect(posted?["json"] == json)
    let measured = try await object { success, failure in
      api.get(
        "get", parameters: ["q": q, "page": page, "tags": tags, "since": date, "after": nil],
        progress: { print($0.fractionCompleted) }, success: success, failure: failure)
    }
    #expect(measured?["args"] == args)
    let form = try await object { success, failure in
      api.post(
        "post", parameters: ["q": q, "page": page, "tags": tags, "since": date, "after": nil],
        constructingBody: { form in form.append(text: "b", name: "part") },
        progress: { print($0.fractionCompleted) }, success: success, failure: failure)
    }
    #expect(form?["form"]?["tags[]"] == ["sea", "bird"])
    #expect(form?["form"]?["part"] == "b")
  }

  private struct Area: Encodable {
    var name = "north"
    var depth = 95.5
  }

  /// What the routes that echo a request return.
  private struct Echo: Decodable, Sendable, Equatable {
    var args: [String: Page.Tags] = [:]
    var form: [String: Page.Tags]? = [:]
    var json: JSON?

    /// The echo of a request with a body.
    init(args: [String: Page.Tags] = [:], form: [String: Page.Tags] = [:], json: JSON?) {
      self.args = args
      self.form = form
      self.json = json
    }

    /// The echo of a request without a body.
    init(args: [String: Page.Tags]) {
      self.args = args
      form = nil
    }
  }

  private func echo(_ response: Response) throws -> Echo {
    let bytes = try #require(response.body.bytes)
    return try JSONDecoder().decode(Echo.self, from: Data(bytes.readableBytesView))
  }

  /// The object with which a call with closures succeeds.
  private func object(
    _ call: (@escaping HTTPSessionManager.Success, @escaping HTTPSessionManager.Failure) ->
      SessionTask?
  ) async throws -> JSON? {
    try await withCheckedThrowingContinuation { done in
      _ = call({ done.resume(returning: $1 as? JSON) }, { done.resume(throwing: $1) })
    }
  }

  @Test func `a dictionary of strings works as well`() async throws {
    let hits = try await api.get("get", parameters: ["q": "terns"], as: Page.self)
    #expect(hits.args["q"] == .one("terns"))
  }

  @Test func `a task with closures`() async throws {
    let object: String = await withCheckedContinuation { done in
      let task = api.get(
        "get", parameters: ["page": 2],
        progress: { print($0.fractionCompleted) },
        success: { task, object in done.resume(returning: "\(task.state) \(object != nil)") },
        failure: { task, error in done.resume(returning: error.message) })
      #expect(task != nil)
    }
    #expect(object == "completed true")
  }

  @Test func `the response itself`() async throws {
    let response = try await api.response(.get, "status/418")
    #expect(response.status.code == 418)
  }

  @Test func `a form with a file`() async throws {
    struct Echo: Decodable, Sendable {
      var form: [String: String]
      var files: [String: String]
    }
    let photo = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data("tern".utf8).write(to: photo)
    defer { try? FileManager.default.removeItem(at: photo) }
    let echo: Echo = try await api.post("post", parameters: ["album": "june"]) { form in
      try form.append(fileAt: photo, name: "photo", mimeType: "text/plain")
    }
    #expect(echo.form == ["album": "june"])
    #expect(echo.files == ["photo": "tern"])
    let response = try await api.post("post") { form in form.append(text: "a", name: "b") }
    #expect(response.status.code == 200)
  }

  @Test func `parameters written in another way`() async throws {
    var serializer = HTTPRequestSerializer()
    serializer.parameterEncoding.arrays = .noBrackets
    serializer.parameterEncoding.booleans = .words
    serializer.parameterEncoding.keys = .snakeCase
    api.requestSerializer = serializer
    struct Search: Encodable {
      var isSeen = true
      var seas = ["north", "south"]
    }
    let hits: Page = try await api.get("get", parameters: .encodable(Search()))
    #expect(hits.args == ["is_seen": .one("true"), "seas": .many(["north", "south"])])
  }

  @Test func `a download with progress`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = try await api.download("bytes/1000", to: folder) { progress in
      _ = progress.fractionCompleted
    }
    #expect(try Data(contentsOf: file.url).count == 1000)
  }

  @Test func `a stream that is read at the reader's pace`() async throws {
    var request = try api.request(.get, "stream-bytes/100000")
    request.delivery = .stream
    var count = 0
    for try await chunk in try await api.send(request).body { count += chunk.readableBytes }
    #expect(count == 100_000)
  }

  @Test func `many requests at once`() async throws {
    let requests = try (1...100).map { try api.request(.get, "anything/users/\($0)") }
    var indices: Set<Int> = []
    for await outcome in api.send(requests, maximumConcurrent: 32) {
      let response = try outcome.response
      #expect(response.url.lastPathComponent == "\(outcome.index + 1)")
      indices.insert(outcome.index)
    }
    #expect(indices == Set(0..<100))
    #expect(server.connectionCount < 100)
  }

  @Test func `many requests, made as they are needed and answered in their order`() async throws {
    struct Teapots: Sequence, IteratorProtocol, Sendable {
      let url: URL
      var left: Int

      mutating func next() -> Request? {
        left -= 1
        return left >= 0 ? Request(url: url) : nil
      }
    }
    let requests = Teapots(url: server.url("/status/418"), left: 50)
    var indices: [Int] = []
    for await outcome in api.send(requests, maximumConcurrent: 8).inOrder {
      #expect(try outcome.response.status.code == 418)
      indices.append(outcome.index)
    }
    #expect(indices == Array(0..<50))
  }

  @Test func `a failure among many is an outcome`() async throws {
    let requests = [Request(url: server.url("/get")), try Request(.get, "http://127.0.0.1:1/")]
    var failures: [MartletError.Code] = []
    for await outcome in api.send(requests) {
      if case .failure(let error) = outcome.result { failures.append(error.code) }
    }
    #expect(failures == [.connectionFailed])
  }

  @Test func `requests from the engine's own thread`() async throws {
    let total = try await api.runOnEventLoop {
      var total = 0
      for number in 1...10 {
        let response = try await api.get("bytes/\(number)")
        total += response.body.bytes?.readableBytes ?? 0
      }
      return total
    }
    #expect(total == 55)
  }

  @Test func `values from the engine's own thread, several at once`() async throws {
    let names = try await api.runOnEventLoop {
      async let ada: User = api.get("response-headers?name=Ada")
      async let grace = api.get("response-headers?name=Grace", as: User.self)
      return try await [ada.name, grace.name]
    }
    #expect(names == ["Ada", "Grace"])
  }

  @MainActor
  @Test func `the engine's thread is for code of the main actor, too`() async throws {
    let user: User = try await api.runOnEventLoop { try await api.get("response-headers?name=Ada") }
    #expect(user.name == "Ada")
  }

  @Test func `a response serializer of one's own`() async throws {
    api.responseSerializer = CSVResponseSerializer()
    let table: [[String]]? = await withCheckedContinuation { done in
      api.get("response-headers?Content-Type=text/csv") { task, object in
        done.resume(returning: object as? [[String]])
      }
    }
    #expect(table?.first == ["{"])
    let rows = try CSVResponseSerializer().serialize(
      Response(
        head: ResponseHead(status: .ok, headers: [.contentType: "text/csv"]), url: server.url("/")),
      data: Data("a,b\nc,d".utf8))
    #expect(rows == [["a", "b"], ["c", "d"]])
  }

  @Test func `whichever format fits`() async throws {
    api.responseSerializer = CompoundResponseSerializer(
      PropertyListResponseSerializer(), JSONResponseSerializer(), TextResponseSerializer())
    let objects = await (object(of: "get"), object(of: "robots.txt"))
    #expect(objects.0 is JSON)
    #expect(objects.1 is String)
  }

  private func object(of path: String) async -> (any Sendable)? {
    await withCheckedContinuation { done in
      api.get(path) { task, object in done.resume(returning: object) }
    }
  }

  @Test func `a typed property list`() async throws {
    let transport = InProcessTransport { request in
      let list = try PropertyList(["name": "Ada"]).data()
      return Response(
        head: ResponseHead(status: .ok, headers: [.contentType: "application/x-plist"]),
        url: request.url, body: ResponseBody(bytes: ByteBuffer(bytes: list)))
    }
    let api = HTTPSessionManager(baseURL: URL(string: "http://example.com")) {
      $0.responseSerializer = PropertyListResponseSerializer()
      $0.decoder = PropertyListDecoder()
      $0.transport = transport
    }
    let user: User = try await api.get("user")
    #expect(user.name == "Ada")
  }
}

/// What the article on trust shows.
@Suite(.timeLimit(.minutes(5)))
struct TrustSampleTests {
  @Test func `pins, roots, an identity and an address policy`() async throws {
    let authority = try TemporaryAuthority()
    var tls = ServerTLS(try authority.leaf())
    tls.clientRoots = [authority.root]
    let server = try await LoopbackServer.start(tls: tls)
    let client = try authority.leaf(for: ["client"])
    let identity = try ClientIdentity(pem: client.certificatesPEM + client.privateKeyPEM)
    let pin = try #require(PublicKeyPin(of: authority.root))
    let backup = try PublicKeyPin("sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")

    let api = HTTPSessionManager(baseURL: server.url("/", host: "localhost")) {
      $0.securityPolicy = SecurityPolicy(pins: [pin, backup])
      $0.tls.roots = .systemAnd([authority.root])
      $0.tls.clientIdentities["localhost"] = identity
    }
    #expect(try await (api.get("get") as Response).status == .ok)

    try api.setSecurityPolicy(SecurityPolicy(pins: [backup]))
    do {
      _ = try await api.get("get") as Response
      Issue.record("A server without the pinned key was let in.")
    } catch let error as MartletError where error.trust != nil {
      #expect(error.trust?.problems.count == 1)
      #expect(error.message.contains("\(pin)"))
    }

    let careful = HTTPSessionManager { $0.addressPolicy = .publicOnly }
    await #expect(throws: MartletError.self) {
      try await careful.get("http://127.0.0.1:\(server.port)/get") as Response
    }
    await server.stop()
  }
}

/// What the article on tasks shows.
@Suite(.timeLimit(.minutes(5)))
struct TaskSampleTests {
  @Test func `hooks, events, values and a cache`() async throws {
    let server = try await LoopbackServer.start()
    let api = HTTPSessionManager(baseURL: server.url("/")) {
      $0.completionQueue = .global()
      $0.cache = MemoryResponseCache(capacity: 20 << 20)
    }
    api.session.onRedirect = { task, redirect, proposed in
      proposed.url.host == "127.0.0.1" ? proposed : nil
    }
    api.session.onResponse = { task, head in
      (head.contentLength ?? 0) > 10_000_000 ? .becomeDownload : .allow
    }
    let events = api.session.events
    let task = api.get("redirect/1", success: { task, object in })
    let response = try await task?.value
    #expect(response?.redirects.count == 1)
    for await event in events {
      if case .attemptFinished = event.event.kind {
        #expect(event.task.taskIdentifier == task?.taskIdentifier)
        break
      }
    }
    api.session.invalidateSession(cancelingTasks: true, resettingSession: true)
    #expect(try await (api.get("get") as Response).status == .ok)
    await server.stop()
  }
}

/// What the article on authentication shows.
@Suite(.timeLimit(.minutes(5)))
struct IdentitySampleTests {
  @Test func `tokens, passwords and a hook`() async throws {
    let server = try await LoopbackServer.start()
    let url = server.url("/")
    let tokens = try BearerTokenProvider(for: url) { refused in refused == nil ? "first" : "second"
    }
    let api = HTTPSessionManager(baseURL: url) {
      $0.authentication.tokenProviders = [tokens]
    }
    #expect(try await (api.get("bearer") as Response).status == .ok)

    let ada = Credential.password(user: "ada", password: "secret")
    let configuration = SessionConfiguration()
    try configuration.authentication.credentials.set(ada, for: url)
    let session = URLSessionManager(configuration: configuration)
    let request = Request(url: server.url("/digest-auth/auth/ada/secret/SHA-256"))
    #expect(try await session.send(request).status == .ok)

    let asking = URLSessionManager()
    asking.onAuthenticationChallenge = { task, challenge in
      guard challenge.previousFailureCount == 0 else { return .rejectProtectionSpace }
      return .useCredential(.password(user: "ada", password: "wrong"))
    }
    let response = try await asking.send(request)
    #expect(response.authenticationError?.code == .credentialsRefused)
    await server.stop()
  }
}

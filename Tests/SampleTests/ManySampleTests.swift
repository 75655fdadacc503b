// Compiled as an application would be: `import Martlet`, and no feature flag.

import Foundation
import Martlet
import MartletTesting
import Testing

/// Pages, batches with values, endpoints, and the end of a manager.
@Suite(.timeLimit(.minutes(5)))
struct ManySampleTests {
  private struct Page: Codable, Equatable, Sendable {
    var items: [Int]
    var next: String?
  }

  // MARK: Pages

  @Test func `pages follow the link to the next one (RFC 8288)`() async throws {
    let api = manager { request in
      let page = request.query("page") ?? "1"
      let links: HTTPFields =
        page == "3"
        ? [:]
        : [
          .link:
            "<http://in.process/users?page=9>; rel=last, <users?page=\(Int(page)! + 1)&a=b,c>; rel=\"NEXT x\""
        ]
      return try .json([Int(page)!], to: request, headers: links)
    }
    var pages: [[Int]] = []
    for try await page in api.pages("users", parameters: ["limit": 2], as: [Int].self) {
      pages.append(page)
    }
    #expect(pages == [[1], [2], [3]])
  }

  @Test func `pages follow a URL in the page, and a cursor`() async throws {
    let seen = Seen()
    let api = manager { request in
      seen.add(request.url.query() ?? "")
      let number = Int(request.query("after") ?? "0") ?? 0
      return try .json(
        Page(items: [number], next: number == 2 ? "" : "\(number + 1)"), to: request)
    }
    var items: [Int] = []
    let pages = api.pages(
      "events", parameters: ["limit": 2, "after": 0], as: Page.self,
      next: .cursor("after") { $0.next })
    for try await page in pages { items += page.items }
    #expect(items == [0, 1, 2])
    #expect(seen.all == ["after=0&limit=2", "limit=2&after=1", "limit=2&after=2"])

    let linked = manager { request in
      let number = Int(request.query("p") ?? "0") ?? 0
      return try .json(
        Page(items: [number], next: number == 2 ? nil : "?p=\(number + 1)"), to: request)
    }
    items = []
    for try await page in linked.pages("events", as: Page.self, next: .url { $0.next }) {
      items += page.items
    }
    #expect(items == [0, 1, 2])
  }

  @Test func `a page on another server is asked for without credentials`() async throws {
    let seen = Seen()
    let api = manager { request in
      seen.add("\(request.url.host() ?? "") \(request.headers[.authorization] ?? "none")")
      let isLast = request.url.host() == "other.example"
      return try .json(
        Page(items: [], next: isLast ? nil : "http://other.example/events"), to: request)
    }
    let pages = api.pages(
      "events", headers: [.authorization: "Bearer secret"], as: Page.self, next: .url { $0.next })
    for try await _ in pages {}
    #expect(seen.all == ["in.process Bearer secret", "other.example none"])
  }

  @Test(arguments: [
    ("https://in.process/a", "http://in.process/b", MartletError.Code.insecureRedirect),
    ("http://in.process/a", "http://in.process/a", .malformedResponse),
    ("http://ada:pw@in.process/a", "http://in.process/a", .malformedResponse),
    ("http://in.process/a", "ftp://in.process/a", .unsupportedScheme),
    ("http://in.process/a", "http://:1:2/", .invalidURL),
  ])
  func `a next page that cannot be used is an error after its page`(
    first: String, next: String, code: MartletError.Code
  ) async throws {
    let api = manager { try .json(Page(items: [1], next: next), to: $0) }
    var iterator = api.pages(first, as: Page.self, next: .url { $0.next }).makeAsyncIterator()
    #expect(try await iterator.next()?.items == [1])
    let error = await failure { try await iterator.next() }
    #expect(error?.code == code)
    #expect(try await iterator.next() == nil)
  }

  @Test func `a page that fails, or cannot be asked for, is an error`() async throws {
    let api = manager { .status(.notFound, to: $0) }
    var iterator = api.pages("a", as: Page.self).makeAsyncIterator()
    #expect(await failure { try await iterator.next() }?.code == .unacceptableStatusCode)
    var invalid = api.pages("http://[::1", as: Page.self).makeAsyncIterator()
    #expect(await failure { try await invalid.next() }?.code == .invalidURL)
  }

  // MARK: Many

  @Test func `values of many paths, in their order`() async throws {
    let api = manager { request in
      try .json(Int(request.url.lastPathComponent) ?? -1, to: request)
    }
    let values: [Int] = try await api.values(of: (1...50).map { "n/\($0)" }, maximumConcurrent: 4)
    #expect(values == Array(1...50))
  }

  @Test func `the first failure of many paths is thrown`() async throws {
    let api = manager { request in
      request.url.lastPathComponent == "3"
        ? .status(.notFound, to: request) : try .json(1, to: request)
    }
    let error = await failure { try await api.values(of: (1...9).map { "n/\($0)" }, as: Int.self) }
    #expect(error?.code == .unacceptableStatusCode)
    #expect(error?.response?.status == .notFound)
  }

  @Test func `values of many paths end with their task`() async throws {
    let server = try await LoopbackServer.start()
    let api = HTTPSessionManager(baseURL: server.url("/"))
    let values = Task {
      try await api.values(of: ["delay/10", "delay/9"], as: JSON.self)
    }
    while api.session.tasks.isEmpty { await Task.yield() }
    values.cancel()
    #expect(await failure { try await values.value }?.code == .cancelled)
    await server.stop()
  }

  @Test func `a batch with values`() async throws {
    let api = manager { request in
      request.url.lastPathComponent == "3"
        ? .text("x", to: request) : try .json(Int(request.url.lastPathComponent) ?? -1, to: request)
    }
    let requests = try (1...9).map { try api.request(.get, "n/\($0)") }
    var sum = 0
    for await outcome in api.send(requests, as: Int.self).inOrder {
      if outcome.index == 2 {
        #expect(throws: MartletError.self) { try outcome.value }
      } else {
        sum += try outcome.value
      }
    }
    #expect(sum == 42)
  }

  // MARK: Endpoints

  @Test func `an API as a type`() async throws {
    let router = ServerRouter([
      .get("/users/:id") { request in
        try .json(User(name: request.parameters["id"] ?? ""))
      },
      ServerRoute([.patch], "/users/:id") { _ in ServerResponse(.noContent) },
      .get("/menu") { _ in .text("tea, cake") },
    ])
    let api = HTTPSessionManager(baseURL: URL(string: "http://in.process/")) {
      $0.transport = InProcessTransport(router: router)
    }
    #expect(try await api.send(.user(7)).name == "7")
    try await api.send(.rename(7, to: "Ada"))
    #expect(try await api.send(.menu) == "tea, cake")
    #expect(Endpoint<User>.user(7).path == "users/7")
    #expect(try api.request(for: .rename(7, to: "Ada")).method == .patch)
    #expect(
      await failure { try await api.send(.rename(7, to: "Ada", of: "nests")) }?.code
        == .unacceptableStatusCode)
  }

  // MARK: The end

  @Test func `a manager closes in one word, when its tasks are over`() async throws {
    let server = try await LoopbackServer.start()
    let api = HTTPSessionManager(baseURL: server.url("/"))
    async let slow = api.get("delay/2")
    while api.session.tasks.isEmpty { await Task.yield() }
    let suspended = api.dataTask(.get, "get")
    await api.shutDown()
    #expect(try await slow.status == .ok)
    #expect(suspended?.state == .completed)
    #expect(await failure { try await api.get("get") }?.code == .shutDown)
    await api.shutDown()
    await server.stop()
  }

  @Test func `a shutdown that is cancelled cancels the tasks`() async throws {
    let server = try await LoopbackServer.start()
    let api = HTTPSessionManager(baseURL: server.url("/"))
    let slow = Task { try await api.get("delay/10") }
    while api.session.tasks.isEmpty { await Task.yield() }
    let end = Task { await api.shutDown() }
    end.cancel()
    await end.value
    #expect(await failure { try await slow.value }?.code == .cancelled)
    await server.stop()
  }

  private func manager(_ handler: @escaping InProcessTransport.Handler) -> HTTPSessionManager {
    HTTPSessionManager(baseURL: URL(string: "http://in.process/")) {
      $0.transport = InProcessTransport(handler)
    }
  }
}

extension Endpoint<User> {
  fileprivate static func user(_ id: Int) -> Self { Self(.get, "users/\(id)") }
}

extension Endpoint<Void> {
  fileprivate static func rename(_ id: Int, to name: String, of kind: String = "users") -> Self {
    Self(.patch, "\(kind)/\(id)", parameters: ["name": name])
  }
}

extension Endpoint<String> {
  fileprivate static var menu: Self { Self(.get, "menu", with: TextResponseSerializer()) }
}

extension Request {
  fileprivate func query(_ name: String) -> String? {
    URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems?.first { $0.name == name }?
      .value
  }
}

extension HTTPField.Name {
  fileprivate static var link: HTTPField.Name { HTTPField.Name("Link") ?? .from }
}

/// Collects texts.
private final class Seen: @unchecked Sendable {
  private let lock = NSLock()
  private var texts: [String] = []

  var all: [String] { lock.withLock { texts } }

  func add(_ text: String) { lock.withLock { texts.append(text) } }
}

import Foundation
import Martlet
import MartletTesting
import NIOCore
import Testing

/// Redirects and decompression on the way up.
@Suite(.timeLimit(.minutes(5)))
struct HttpbinPipelineTests {
  private let server: Httpbin
  private let api: HTTPSessionManager

  init() async throws {
    server = try await Httpbin()
    api = HTTPSessionManager(baseURL: server.base)
  }

  @Test(arguments: ["redirect/3", "absolute-redirect/3", "relative-redirect/3"])
  func `redirects are followed to the last`(path: String) async throws {
    let exchange = Exchange()
    let redirects = Locked(0)
    exchange.observe { event in
      if case .redirecting = event { redirects.withLock { $0 += 1 } }
    }
    var request = try api.request(.get, path)
    request.exchange = exchange
    let response = try await api.send(request)
    #expect(response.status == .ok)
    #expect(response.url == server.url("get"))
    #expect(redirects.current == 3)
    if let server = server.loopback { #expect(server.connectionsAccepted == 1) }
  }

  @Test func `a redirect's own body never reaches the file`() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("body")
    var request = try api.request(.get, "redirect/2")
    request.delivery = .file(at: file)
    let response = try await api.send(request)
    #expect(response.body.file == file)
    let echo = try JSONDecoder().decode(Echo.self, from: Data(contentsOf: file))
    #expect(echo.url == server.url("get").absoluteString)
  }

  @Test func `without redirects the redirect is the response`() async throws {
    let api = HTTPSessionManager(baseURL: server.base) { $0.redirects = .disabled }
    let response = try await api.get("redirect/1")
    #expect(response.status == .found)
    #expect(response.headers.contains(.location))
  }

  @Test(arguments: ["gzip", "deflate"])
  func `a compressed body comes out plain, in memory, as a stream and in a file`(path: String)
    async throws
  {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("body")
    let flag = path == "gzip" ? "gzipped" : "deflated"
    for delivery in [Delivery.buffered, .stream, .file(at: file)] {
      var request = try api.request(.get, path)
      request.delivery = delivery
      let response = try await api.send(request)
      let body = try JSON(parsing: Data(try await response.body.collect().readableBytesView))
      #expect(body[flag]?.boolValue == true)
      #expect(response.headers[.contentEncoding] == path)
    }
    let saved = try JSON(parsing: Data(contentsOf: file))
    #expect(saved[flag]?.boolValue == true)
  }

  @Test func `whoever asks for an encoding gets it as it is`() async throws {
    let response = try await api.get("gzip", headers: [.acceptEncoding: "gzip"])
    let bytes = try #require(response.body.bytes)
    #expect(Array(bytes.readableBytesView.prefix(2)) == [0x1F, 0x8B])
  }

  @Test func `the application's steps come first, in order`() async throws {
    struct Stamp: Step {
      let text: String
      func send(_ request: Request, next: any Transport) async throws -> Response {
        var request = request
        try request.headers.append(name: "X-Stamp", value: text)
        return try await next.send(request)
      }
    }
    let api = HTTPSessionManager(baseURL: server.base) {
      $0.steps = [Stamp(text: "first"), Stamp(text: "second")]
    }
    let echo: Echo = try await api.get("get")
    #expect(echo.headers["X-Stamp"] == "first,second")
  }
}

/// A folder that is gone when nobody refers to it any more.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// Everything in it, hidden files included.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
  }
}

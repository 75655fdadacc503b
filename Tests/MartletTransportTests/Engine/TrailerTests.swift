import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import Testing

/// Fields that a request sends after its body (RFC 9110 §6.5).
@Suite(.timeLimit(.minutes(5)))
struct TrailerTests {
  /// Answers with what the server received: the body, the trailers, and the fields about both.
  private static let mirror = ServerRouter([
    ServerRoute([.get, .post, .put], "/mirror") { request in
      let trailers = request.trailers.map { "\($0.name.canonicalName)=\($0.value)" }
      let length = request.headers[.contentLength] ?? "none"
      let names = request.headers[.trailer]?.lowercased() ?? "none"
      return .text(
        "\(request.body.readableBytes) bytes, length \(length), names \(names), \(trailers)")
    }
  ])

  private func mirrored(_ request: (LoopbackServer) throws -> Request, _ wire: Wire) async throws
    -> String
  {
    let (server, engine) = try await wire.start(router: Self.mirror)
    let response = try await engine.send(try request(server))
    let text = String(buffer: try await response.body.collect())
    #expect(response.status == .ok, "\(text)")
    // The connection is in order for another request.
    #expect(try await engine.send(Request(url: server.url("/mirror"))).status == .ok)
    #expect(server.connectionCount == 1)
    await server.stop()
    return text
  }

  private static let bodies: [(RequestBody, Int)] = [
    (.empty, 0), (.text(""), 0), (.text("hello"), 5),
    (.text(String(repeating: "x", count: 70_000)), 70_000),
    (
      .producer(length: 300_000) { try await $0(ByteBuffer(repeating: 0, count: 300_000)) }, 300_000
    ),
    (.producer(length: nil) { try await $0(ByteBuffer(string: "abc")) }, 3),
  ]

  @Test(arguments: Wire.allCases)
  func `trailers follow a body of any kind, and are announced`(_ wire: Wire) async throws {
    for (body, count) in Self.bodies {
      let text = try await mirrored(
        { server in
          var request = Request(.put, url: server.url("/mirror"), body: body)
          request.trailers = ["X-Sum": "42", "X-Note": "a, b"]
          return request
        }, wire)
      #expect(
        text
          == #"\#(count) bytes, length none, names x-sum, x-note, ["x-sum=42", "x-note=a, b"]"#)
    }
  }

  @Test(arguments: [Wire.http1, .h2])
  func `a closure computes them when the body has been produced`(_ wire: Wire) async throws {
    let text = try await mirrored(
      { server in
        let sum = Locked(0)
        let body = RequestBody.producer(length: nil) { write in
          for byte: UInt8 in 1...100 {
            try await write(ByteBuffer(bytes: [byte]))
            sum.withLock { $0 += Int(byte) }
          }
        }
        var request = Request(.post, url: server.url("/mirror"), body: body)
        request.trailers = .computed(["X-Sum"]) { [.xSum: "\(sum.current)"] }
        return request
      }, wire)
    #expect(text == #"100 bytes, length none, names x-sum, ["x-sum=5050"]"#)
  }

  @Test(arguments: [Wire.http1, .h2])
  func `a closure that returns none ends the body`(_ wire: Wire) async throws {
    let text = try await mirrored(
      { server in
        var request = Request(.get, url: server.url("/mirror"))
        request.trailers = .computed { [:] }
        return request
      }, wire)
    #expect(text == "0 bytes, length none, names none, []")
  }

  @Test func `on the wire they are the last lines of the chunks (RFC 9112 §7.1.2)`() async throws {
    let server = try await ScriptedServer.start(.text("ok"))
    var request = Request(.put, url: server.url(), body: .text("hello"))
    request.trailers = .fields([.xSum: "42"])
    _ = try await HTTPTransport().send(request)
    let text = String(buffer: server.bytes())
    #expect(text.hasSuffix("\r\n\r\n5\r\nhello\r\n0\r\nX-Sum: 42\r\n\r\n"))
    #expect(text.contains("Transfer-Encoding: chunked\r\nTrailer: X-Sum\r\n"))
    #expect(!text.contains("Content-Length"))
    await server.stop()
  }

  @Test(
    arguments: [Wire.http1, .h2],
    ["Content-Length", "Host", "Authorization", "If-Match", "Transfer-Encoding", "Trailer"])
  func `a field that a server needs before the body is an error`(_ wire: Wire, _ name: String)
    async throws
  {
    let (server, engine) = try await wire.start(router: Self.mirror)
    var request = Request(.put, url: server.url("/mirror"), body: .text("hello"))
    let field = HTTPField(name: try #require(HTTPField.Name(name)), value: "1")
    request.trailers = .fields([field.name: field.value])
    let error = await #expect(throws: MartletError.self) { try await engine.send(request) }
    #expect(error?.code == .invalidHeader)
    #expect(
      error?.message
        == "“\(name)” may not follow the body: servers need it before the body, so set it as a header field."
    )
    #expect(server.requestCount == 0)
    #expect(try await engine.send(Request(url: server.url("/mirror"))).status == .ok)
    await server.stop()
  }

  @Test func `a name that is known and not allowed is refused before the body`() async throws {
    let server = try await ScriptedServer.start(.text("ok"))
    for trailers: RequestTrailers in [["Authorization": "x"], .computed(["Host"]) { [:] }] {
      var request = Request(.put, url: server.url(), body: .text("hello"))
      request.trailers = trailers
      let error = await #expect(throws: MartletError.self) {
        try await HTTPTransport().send(request)
      }
      #expect(error?.code == .invalidHeader)
    }
    #expect(server.bytes().readableBytes == 0)
    await server.stop()
  }

  @Test func `trailers without a body wait for no 100 Continue (RFC 9110 §10.1.1)`() async throws {
    let server = try await ScriptedServer.start(.text("ok"))
    var request = Request(.put, url: server.url())
    request.trailers = ["X-Sum": "0"]
    request.options.expectsContinue = true
    _ = try await HTTPTransport().send(request)
    #expect(!String(buffer: server.bytes()).contains("Expect"))
    await server.stop()
  }

  @Test func `a literal is checked when it is sent`() async throws {
    let (server, engine) = try await Wire.http1.start(router: Self.mirror)
    for trailers: RequestTrailers in [["X-Sum": "1\r\nX-Bad: 2"], ["X Sum": "1"]] {
      var request = Request(.put, url: server.url("/mirror"), body: .text("hello"))
      request.trailers = trailers
      let error = await #expect(throws: MartletError.self) { try await engine.send(request) }
      #expect(error?.code == .invalidHeader)
    }
    #expect(server.requestCount == 0)
    await server.stop()
  }

  @Test(arguments: [Wire.http1, .h2])
  func `an error of the closure ends the request`(_ wire: Wire) async throws {
    struct NoSum: Error {}
    let (server, engine) = try await wire.start(router: Self.mirror)
    var request = Request(.put, url: server.url("/mirror"), body: .text("hello"))
    request.trailers = .computed { throw NoSum() }
    let error = await #expect(throws: MartletError.self) { try await engine.send(request) }
    #expect(error?.code == .bodyNotReadable)
    #expect(error?.underlying is NoSum)
    #expect(server.requestCount == 0)
    await server.stop()
  }
}

extension HTTPField.Name {
  fileprivate static let xSum = HTTPField.Name("X-Sum") ?? .age
}

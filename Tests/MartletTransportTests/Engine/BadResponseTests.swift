import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import TestTiming
import Testing

/// What a server may do wrong, and the words for it.
@Suite(.timeLimit(.minutes(5)))
struct BadResponseTests {
  @Test(arguments: [
    ("BROKEN\r\n\r\n", "its status line is “BROKEN”"),
    (
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
      "it has two different Content-Length values, “1, 2”"
    ),
    (
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      "the size of a chunk is “zz\\u{d}”"
    ),
    ("HTTP/1.1 2", "the connection ended within its head"),
  ])
  func `a malformed response is refused in words and its connection closed`(
    text: String, reason: String
  ) async throws {
    let server = try await ScriptedServer.start(.respond(text))
    let error = try await failure(at: server)
    #expect(error.code == .malformedResponse)
    #expect(error.message == "The server's response is not HTTP/1.1: \(reason).")
    #expect(error.phase == .receive)
    try await server.waitForConnectionsClosed()
    await server.stop()
  }

  @Test(arguments: ["", "Transfer-Encoding: chunked\r\n\r\n0\r\n"])
  func `a head over the limit is refused, and trailers are, too`(_ fields: String) async throws {
    let huge = String(repeating: "x", count: 300 << 10)
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 200 OK\r\n\(fields)X: \(huge)\r\n\r\n"))
    let error = try await failure(at: server)
    #expect(
      error.message
        == "The head of the response is larger than 262144 bytes: raise `limits.responseHeadSize` if the server is to be trusted."
    )
    await server.stop()
  }

  @Test func `a body cut short is an error that carries its head`() async throws {
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"))
    let error = try await failure(at: server)
    #expect(error.code == .bodyTruncated)
    #expect(error.response?.status == .ok)
    #expect(
      error.message
        == "The connection ended after 3 of 10 bytes of the body, before it was complete: try again."
    )
    await server.stop()
  }

  @Test func `a body cut short leaves no file`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"))
    var request = Request(url: server.url())
    request.delivery = .file(at: folder.appendingPathComponent("body"))
    let error = try await failure(of: request)
    #expect(error.code == .bodyTruncated)
    // The partial file goes away on its own thread, right after.
    try await eventually {
      try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty
    }
    await server.stop()
  }

  @Test func `a connection that is closed without an answer`() async throws {
    let server = try await ScriptedServer.start(Script([.readRequest, .close]))
    let error = try await failure(at: server)
    #expect(error.code == .connectionLost)
    #expect(
      error.message
        == "http://127.0.0.1:\(server.port) closed the connection before it had answered: try again."
    )
    await server.stop()
  }

  @Test func `a connection that is reset within its body`() async throws {
    let server = try await ScriptedServer.start(
      Script([.readRequest, .send("HTTP/1.1 200 OK\r\n\r\nabc"), .reset]))
    let error = try await failure(at: server)
    #expect(error.code == .bodyTruncated || error.code == .connectionLost)
    await server.stop()
  }

  @Test func `a body over the limit is refused before it is collected`() async throws {
    let server = try await ScriptedServer.start(
      Script([.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n"), .stall]))
    var request = Request(url: server.url())
    request.delivery = .buffered(limit: 1000)
    let error = try await failure(of: request)
    #expect(
      error.message
        == "The body of the response is larger than 1000 bytes: stream it, download it to a file, or raise the limit."
    )
    await server.stop()
  }

  @Test(arguments: [200, 302, 404, 500])
  func `a body of no known length over the limit is an error, whatever the status`(_ status: Int)
    async throws
  {
    let server = try await ScriptedServer.start(
      Script([
        .readRequest,
        .send(
          "HTTP/1.1 \(status) X\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n6\r\n678901\r\n"),
        .stall,
      ]))
    var request = Request(url: server.url())
    request.delivery = .buffered(limit: 10)
    #expect(try await failure(of: request).code == .bodyTooLarge)
    await server.stop()
  }

  @Test func `bytes that begin no answer end the exchange at once`() async throws {
    let server = try await ScriptedServer.start(Script([.readRequest, .send("SSH-2.0"), .stall]))
    let error = try await failure(at: server)
    #expect(error.code == .malformedResponse)
    #expect(
      error.message == "The server's response is not HTTP/1.1: it begins with “SSH-2.0”.")
    try await server.waitForConnectionsClosed()
    await server.stop()
  }

  @Test func `a connection that is lost before all of the request was sent is an error of its own`()
    async throws
  {
    let server = try await ScriptedServer.start(Script([.readHead, .reset]))
    let body = RequestBody.producer(length: nil) { write in
      while true { try await write(ByteBuffer(repeating: 0x78, count: 1 << 16)) }
    }
    let error = try await failure(of: Request(.post, url: server.url(), body: body))
    #expect(error.code == .connectionLost)
    #expect(
      error.message
        == "http://127.0.0.1:\(server.port) closed the connection before the whole request was sent: try again."
    )
    #expect(error.phase == .send)
    #expect(!error.isSafeToRetry)
    await server.stop()
  }

  @Test func `what was not asked for closes the connection`() async throws {
    let server = try await ScriptedServer.start(
      Script([
        .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"),
        .stall,
      ]), .text("second"))
    let engine = HTTPTransport()
    #expect(try await engine.send(Request(url: server.url())).status == .ok)
    try await server.waitForConnectionsClosed()
    let response = try await engine.send(Request(url: server.url()))
    #expect(String(buffer: try await response.body.collect()) == "second")
    await server.stop()
  }

  @Test(arguments: [
    (
      "ftp://h/", MartletError.Code.unsupportedScheme,
      "The scheme “ftp” is not supported: use http or https."
    ),
    ("http:///x", .invalidURL, "The URL “http:///x” is not usable: it has no host."),
    ("relative", .invalidURL, "The URL “relative” is not usable: it has no scheme."),
    (
      "http://h:99999/", .invalidURL,
      "The URL “http://h:99999/” is not usable: port 99999 is not between 1 and 65535."
    ),
    (
      "http://[::1", .invalidURL,
      "The URL “http://[::1” is not usable: its host is neither a name nor an IPv6 address in brackets, such as [::1]."
    ),
  ])
  func `a URL that leads nowhere is refused in words`(
    text: String, code: MartletError.Code, message: String
  ) {
    #expect {
      try Request(.get, text)
    } throws: { error in
      let error = error as? MartletError
      return error?.code == code && error?.message == message
    }
  }

  // MARK: Shorthands

  private func failure(at server: ScriptedServer) async throws -> MartletError {
    try await failure(of: Request(url: server.url()))
  }

  private func failure(of request: Request) async throws -> MartletError {
    do {
      _ = try await HTTPTransport().send(request)
    } catch {
      return try #require(error as? MartletError)
    }
    throw MartletError(.decodingFailed, "A failure was expected.")
  }
}

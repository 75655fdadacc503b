import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import Testing

/// A 206 response to a request without `Range` (RFC 9110 §15.3.7): a part is an error with every delivery.
@Suite(.timeLimit(.minutes(5)))
final class UnrequestedPartTests {
  private let folder: URL
  private var file: URL { folder.appendingPathComponent("file") }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  private var deliveries: [Delivery] {
    [
      .buffered, .stream, .discard, .file(at: file),
      Delivery { [file] _ in .file(FileDestination(url: file)) },
    ]
  }

  /// A server that sends five bytes with `range` as their `Content-Range`, and a transport that speaks `versions`.
  private func server(_ range: String, _ versions: HTTPTransportConfiguration.Versions)
    async throws -> (LoopbackServer, HTTPTransport)
  {
    let route = ServerRoute.get("/x") { _ in
      ServerResponse(
        .partialContent, headers: [.contentRange: range],
        body: .bytes(ByteBuffer(string: "abcde")))
    }
    let server = try await LoopbackServer.start(
      priorKnowledge: versions == .http2, router: ServerRouter([route]))
    var configuration = HTTPTransportConfiguration()
    configuration.versions = versions
    return (server, HTTPTransport(configuration))
  }

  @Test(arguments: [HTTPTransportConfiguration.Versions.http1, .http2])
  func `it is an error whatever the delivery, and no file stays`(
    versions: HTTPTransportConfiguration.Versions
  ) async throws {
    let (server, transport) = try await server("bytes 0-4/10", versions)
    for delivery in deliveries {
      var request = Request(url: server.url("/x"))
      request.delivery = delivery
      let error = await #expect(throws: MartletError.self) { try await transport.send(request) }
      #expect(error?.code == .wrongRange)
      #expect(error?.response?.status == .partialContent)
      #expect(
        error?.message
          == "The request was for the whole body, but the server sent a part, “bytes 0-4/10”: try again later, or send a `Range` field if a part is wanted."
      )
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    await server.stop()
  }

  @Test(arguments: [HTTPTransportConfiguration.Versions.http1, .http2])
  func `what proves to be the whole, and what was asked for, is delivered`(
    versions: HTTPTransportConfiguration.Versions
  ) async throws {
    let (whole, transport) = try await server("bytes 0-4/5", versions)
    var request = Request(url: whole.url("/x"))
    request.delivery = .file(at: file)
    _ = try await transport.send(request)
    #expect(try String(contentsOf: file, encoding: .utf8) == "abcde")
    let (part, other) = try await server("bytes 0-4/10", versions)
    request = Request(url: part.url("/x"))
    request.headers[.range] = "bytes=0-4"
    #expect(try await other.send(request).body.bytes.map { String(buffer: $0) } == "abcde")
    await whole.stop()
    await part.stop()
  }

  @Test func `HEAD that is answered so ends in the same error`() async throws {
    let server = try await ScriptedServer.start(
      .respond(
        "HTTP/1.1 206 P\r\nConnection: close\r\nContent-Length: 5\r\nContent-Range: bytes 0-4/10\r\n\r\n"
      ))
    let error = await #expect(throws: MartletError.self) {
      try await HTTPTransport().send(Request(.head, url: server.url()))
    }
    #expect(error?.code == .wrongRange)
  }

  @Test func `a whole with a Content-Range is a whole (RFC 9110 §14.4)`() async throws {
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Range: bytes 0-4/10\r\n\r\nabcde"))
    let response = try await HTTPTransport().send(Request(url: server.url()))
    #expect(response.body.bytes.map { String(buffer: $0) } == "abcde")
  }
}

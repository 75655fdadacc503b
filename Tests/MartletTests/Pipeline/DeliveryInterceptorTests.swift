import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import NIOCore
import TestTiming
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Where the body of the caller's response goes, whatever was on the way.
@Suite(.timeLimit(.minutes(5)))
struct DeliveryInterceptorTests {
  private let session = URLSessionManager()

  @Test func `a redirect with a long body is given up, and the last body goes where it is wanted`()
    async throws
  {
    let long = String(repeating: "x", count: 200_000)
    let server = try await ScriptedServer.start(
      .reply(CannedResponse(302, ["Location": "/end"], long)), .text("end"))
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("body")
    var request = Request(url: server.url("/start"))
    request.delivery = .file(at: file)
    let response = try await session.send(request)
    #expect(response.body.kind == .file)
    #expect(try String(contentsOf: file, encoding: .utf8) == "end")
    #expect(try folder.names == ["body"])
    await server.stop()
  }

  @Test func `a redirect whose body comes late keeps its connection`() async throws {
    // After a second, such a body is given up.
    let (status, connections) = try await inTime(.seconds(1)) {
      let server = try await ScriptedServer.start(
        Script([
          .readRequest,
          .send("HTTP/1.1 302 Found\r\nLocation: /end\r\nContent-Length: 4\r\n\r\n"),
          .wait(.milliseconds(20)), .send("over"), .readRequest,
          .reply(CannedResponse(200, [:], "end")),
        ]), .text("end"))
      let response = try await session.send(Request(url: server.url("/start")))
      let connections = server.connectionCount
      await server.stop()
      return (response.status, connections)
    }
    #expect(status == .ok)
    #expect(connections == 1)
  }

  @Test func `the body of a redirect is no progress`() async throws {
    let server = try await ScriptedServer.start(
      .reply(CannedResponse(302, ["Location": "/end", "Connection": "close"], "elsewhere")),
      .text("end"))
    let counts = Locked<[Int64]>([])
    let call = Call()
    call.observe { [weak call] event in
      guard case .bodyReceived = event.kind, let call else { return }
      counts.withLock { $0.append(call.downloadTransfer.completed) }
    }
    var request = Request(url: server.url("/start"))
    request.call = call
    _ = try await session.send(request)
    #expect(counts.current == [3])
    await server.stop()
  }

  @Test func `the closure that decides by the head is called once, for the last response`()
    async throws
  {
    let server = try await ScriptedServer.start(
      .redirect(to: "/end"), .reply(CannedResponse(404, [:], "nothing")))
    let asked = Locked<[Int]>([])
    var request = Request(url: server.url("/start"))
    request.delivery = Delivery { head in
      asked.withLock { $0.append(head.status.code) }
      return .buffer(limit: 10)
    }
    let response = try await session.send(request)
    #expect(response.body.bytes == ByteBuffer(string: "nothing"))
    #expect(asked.current == [404])
    await server.stop()
  }

  @Test func `an error has a request that can be sent again`() async throws {
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 500 No\r\nContent-Length: 9\r\n\r\nno"), .text("yes"))
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("body")
    var request = Request(url: server.url())
    request.delivery = .file(at: file)
    let error = await #expect(throws: MartletError.self) { try await session.send(request) }
    #expect(error?.code == .bodyTruncated && error?.response?.status.code == 500)
    try await eventually { try folder.names == [] }
    #expect(try await session.send(#require(error?.request)).body.kind == .file)
    #expect(try String(contentsOf: file, encoding: .utf8) == "yes")
    await server.stop()
  }

  @Test(arguments: [0, 30])
  func `the body of an error is collected, however it comes`(pause: Int) async throws {
    let server = try await ScriptedServer.start(
      Script([
        .readRequest, .send("HTTP/1.1 400 No\r\nContent-Length: 4\r\n\r\n"),
        .wait(.milliseconds(pause)), .send("why?"), .stall,
      ]))
    let response = try await session.send(Request(url: server.url()))
    #expect(response.body.kind == .buffered)
    #expect(response.body.bytes == ByteBuffer(string: "why?"))
    await server.stop()
  }

  @Test(arguments: ["bytes", "stream"])
  func `a transport of one's own returns what it has, and the body goes where it is wanted`(
    kind: String
  ) async throws {
    struct Own: Transport {
      let kind: String

      func send(_ request: Request) async throws -> Response {
        let bytes = ResponseBody(bytes: ByteBuffer(string: "tern"))
        let body = kind == "bytes" ? bytes : ResponseBody(stream: Once(bytes))
        return Response(head: ResponseHead(status: .ok), url: request.url, body: body)
      }
    }
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("body")
    let session = URLSessionManager(transport: Own(kind: kind))
    for (delivery, form) in [
      (Delivery.buffered, ResponseBody.Kind.buffered), (.stream, .streamed),
      (.file(at: file), .file), (.discard, .discarded),
    ] {
      var request = try Request(.get, "http://example.com/")
      request.delivery = delivery
      let response = try await session.send(request)
      // What is in memory already is no stream any more.
      #expect(response.body.kind == form || (form == .streamed && kind == "bytes"))
      guard form != .discarded else { continue }
      #expect(try await response.body.collect() == ByteBuffer(string: "tern"))
    }
    var request = try Request(.get, "http://example.com/")
    request.delivery = .buffered(limit: 3)
    let error = await #expect(throws: MartletError.self) { try await session.send(request) }
    #expect(error?.code == .bodyTooLarge)
  }

  @Test func `a download through a transport of one's own is written to its file`() async throws {
    let session = URLSessionManager(
      transport: InProcessTransport { request in
        Response(
          head: ResponseHead(status: .ok), url: request.url,
          body: ResponseBody(bytes: ByteBuffer(string: "tern")))
      })
    let folder = try TemporaryFolder()
    let target = folder.url.appendingPathComponent("body")
    _ = try await session.download(Request(.get, "http://example.com/"), to: target)
    #expect(try String(contentsOf: target, encoding: .utf8) == "tern")
    #expect(try folder.names == ["body"])
  }
}

/// A body that is read once.
private final class Once: ResponseBodySource {
  private let bytes: Locked<ByteBuffer?>

  init(_ body: ResponseBody) {
    bytes = Locked(body.bytes)
  }

  func next() async throws -> ByteBuffer? { bytes.withLock { $0.take() } }
  func abandon() {}
  var completion: ResponseBody.Completion? { nil }
}

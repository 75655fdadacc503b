import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import TestTiming
import Testing

/// Responses whose caller says where the body goes when the head is there.
@Suite(.timeLimit(.minutes(5)))
struct UndecidedBodyTests {
  private static let wires = [Wire.http1, .h2c]

  private func request(_ url: URL) -> Request {
    var request = Request(url: url)
    request.delivery = .undecided
    return request
  }

  private func file() -> URL {
    FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  }

  @Test(arguments: wires, [10, 100_000, 3_000_000])
  func `a body goes where it is wanted after its head has come`(_ wire: Wire, size: Int)
    async throws
  {
    let (server, engine) = try await wire.start()
    let file = file()
    defer { try? FileManager.default.removeItem(at: file) }
    for handling in [
      Delivery.BodyHandling.buffer(limit: size), .stream, .discard,
      .file(FileDestination(url: file)),
    ] {
      let call = Call()
      var request = request(server.url("/range/\(size)"))
      request.call = call
      let response = try await engine.send(request)
      #expect(response.body.kind == .streamed)
      let body = try await response.body.delivered(handling, of: call)
      switch handling {
      case .buffer:
        #expect(body.kind == .buffered && body.bytes?.readableBytes == size)
        #expect(body.completion?.metrics?.bytesReceived ?? 0 > size)
      case .stream:
        #expect(body.kind == .streamed)
        #expect(try await body.collect().readableBytes == size)
      case .discard: #expect(body.kind == .discarded)
      case .file, .writer:
        #expect(body.kind == .file)
        #expect(try Data(contentsOf: file).count == size)
      }
      if body.kind != .discarded { #expect(call.downloadTransfer.completed == Int64(size)) }
    }
    // What is discarded and long is given up, with its connection over HTTP/1.1, unless all of it has come.
    let mayClose = size > 64 << 10 && wire == .http1
    #expect(server.connectionCount <= (mayClose ? 2 : 1))
    engine.shutDown()
    await server.stop()
  }

  @Test(arguments: wires)
  func `the body of an error that comes with its head comes in one piece`(_ wire: Wire) async throws
  {
    let (server, engine) = try await wire.start()
    let response = try await engine.send(request(server.url("/no/such/path")))
    #expect(response.status == .notFound)
    #expect(response.body.kind == .buffered)
    #expect(response.body.bytes?.readableBytes ?? 0 > 0)
    engine.shutDown()
    await server.stop()
  }

  @Test(arguments: wires)
  func `a success that is left alone holds its connection, and lets go of it when it is read`(
    _ wire: Wire
  ) async throws {
    let (server, engine) = try await wire.start { $0.connections.maximumPerOrigin = 1 }
    let first = try await engine.send(request(server.url("/bytes/10")))
    let second = engine.begin(Request(url: server.url("/get")))
    #expect(try await first.body.collect().readableBytes == 10)
    #expect(try await second.value.status == .ok)
    #expect(server.connectionCount == 1)
    engine.shutDown()
    await server.stop()
  }

  @Test func `a body that has come whole costs no connection, however long it is`() async throws {
    let (server, engine) = try await Wire.http1.start { $0.connections.maximumPerOrigin = 1 }
    for _ in 0..<3 {
      var request = request(server.url("/bytes/200000"))
      let call = Call()
      request.call = call
      let response = try await engine.send(request)
      try await eventually { call.downloadTransfer.completed == 200_000 }
      await response.body.discard()
    }
    #expect(try await engine.send(Request(url: server.url("/get"))).status == .ok)
    #expect(server.connectionCount == 1)
    engine.shutDown()
    await server.stop()
  }

  @Test(arguments: [0, 20])
  func `an error whose body is undecided holds no connection`(pause: Int) async throws {
    let server = try await ScriptedServer.start(
      Script([
        .readRequest, .send("HTTP/1.1 401 No\r\nContent-Length: 4\r\n\r\n"),
        .wait(.milliseconds(pause)), .send("who?"), .readRequest,
        .reply(CannedResponse(200, [:], "ok")),
      ]))
    var configuration = HTTPTransportConfiguration()
    configuration.connections.maximumPerOrigin = 1
    let engine = HTTPTransport(configuration)
    let response = try await engine.send(request(server.url()))
    #expect(try await engine.send(Request(url: server.url())).status == .ok)
    #expect(try await response.body.collect() == ByteBuffer(string: "who?"))
    await server.stop()
  }

  @Test func `an error whose body is dropped keeps its connection`() async throws {
    var configuration = HTTPTransportConfiguration()
    configuration.connections.maximumPerOrigin = 1
    let engine = HTTPTransport(configuration)
    // After a second, such a body is given up.
    let (statuses, connections) = try await inTime(.seconds(1)) {
      let server = try await ScriptedServer.start(
        Script([
          .readRequest, .send("HTTP/1.1 503 No\r\nContent-Length: 4\r\n\r\n"),
          .wait(.milliseconds(20)), .send("busy"), .readRequest,
          .reply(CannedResponse(200, [:], "ok")),
        ]), .text("ok"))
      let statuses = [
        try await engine.send(request(server.url())).status,
        try await engine.send(Request(url: server.url())).status,
      ]
      let connections = server.connectionCount
      await server.stop()
      return (statuses, connections)
    }
    #expect(statuses == [.serviceUnavailable, .ok])
    #expect(connections == 1)
  }

  @Test(arguments: wires)
  func `a body that is larger than its place is an error with the head`(_ wire: Wire) async throws {
    let (server, engine) = try await wire.start()
    for path in ["/bytes/1000", "/stream-bytes/1000"] {
      // After a second, a whole body is a stream, whose errors know no head.
      let (response, delivery) = try await inTime(.seconds(1)) {
        let response = try await engine.send(request(server.url(path)))
        let delivery = Task { try await response.body.delivered(.buffer(limit: 999), of: nil) }
        return (response, await delivery.result)
      }
      let error = #expect(throws: MartletError.self) { try delivery.get() }
      #expect(error?.code == .bodyTooLarge)
      #expect(error?.response == response.head)
      #expect(error?.request?.url == server.url(path))
    }
    #expect(try await engine.send(Request(url: server.url("/get"))).status == .ok)
    engine.shutDown()
    await server.stop()
  }

  @Test(arguments: [true, false])
  func `a server that goes away while a whole body waits for its place loses nothing`(
    isFile: Bool
  ) async throws {
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"))
    let engine = HTTPTransport()
    let file = file()
    defer { try? FileManager.default.removeItem(at: file) }
    let response = try await engine.send(request(server.url()))
    try await server.waitForConnectionsClosed()
    let handling =
      isFile ? Delivery.BodyHandling.file(FileDestination(url: file)) : .buffer(limit: 10)
    let body = try await response.body.delivered(handling, of: nil)
    #expect(try await body.collect() == ByteBuffer(string: "ok"))
    await server.stop()
  }

  @Test(arguments: [Delivery.BodyHandling.buffer(limit: 10), .discard, .stream])
  func `a body that breaks off before it has a place fails there`(_ handling: Delivery.BodyHandling)
    async throws
  {
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok"))
    let response = try await HTTPTransport().send(request(server.url()))
    try await server.waitForConnectionsClosed()
    let error = await #expect(throws: MartletError.self) {
      _ = try await response.body.delivered(handling, of: nil).collect()
    }
    #expect(error?.code == .bodyTruncated)
    await server.stop()
  }

  @Test(arguments: [true, false])
  func `what waits for the rest of a body is cancelled, by its handle or its task`(
    byHandle: Bool
  ) async throws {
    let server = try await ScriptedServer.start(
      Script([
        .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok"), .stall,
      ]))
    for handling in [
      Delivery.BodyHandling.buffer(limit: 10), .discard, .file(FileDestination(url: file())),
    ] {
      let call = Call()
      var request = request(server.url())
      request.call = call
      let response = try await HTTPTransport().send(request)
      let delivering = Task { try await response.body.delivered(handling, of: call) }
      if byHandle { call.cancel() } else { delivering.cancel() }
      let error = await #expect(throws: MartletError.self) { _ = try await delivering.value }
      #expect(error?.code == .cancelled)
      server.enqueue(
        Script([
          .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok"), .stall,
        ]))
    }
    await server.stop()
  }

  @Test func `a head of which the same packet has an error is answered with first`() async throws {
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 302 Found\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"))
    let response = try await HTTPTransport().send(request(server.url()))
    #expect(response.status == .found)
    let error = await #expect(throws: MartletError.self) { try await response.body.collect() }
    #expect(error?.code == .malformedResponse)
    await server.stop()
  }

  @Test(.timeLimit(.minutes(1)))
  func `a body has one taker`() async throws {
    let server = try await ScriptedServer.start(
      Script([
        .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"),
        .wait(.milliseconds(50)), .send("hello"), .stall,
      ]), repeatsLast: true)
    for isRead in [true, false] {
      let response = try await HTTPTransport().send(request(server.url()))
      let body = response.body
      async let first =
        isRead ? body.collect() : body.delivered(.buffer(limit: 9), of: nil).collect()
      async let second = body.delivered(.buffer(limit: 9), of: nil)
      let results = (try? await first, try? await second.bytes)
      // A body that has been read to its end has no bytes for others. One that was delivered is an error for them.
      let takers = [results.0, results.1].compactMap(\.self)
      #expect(takers.count { !isRead || $0.readableBytes > 0 } <= 1)
    }
    await server.stop()
  }

  @Test func `a body that has come is not lost when the rest of the request cannot be sent`()
    async throws
  {
    let server = try await ScriptedServer.start(
      Script([.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"), .stall]))
    let mayFail = AwaitableValue(false)
    let body = RequestBody.producer(length: nil) { write in
      try await write(ByteBuffer(string: "some"))
      try await mayFail.wait { $0 }
      throw CancellationError()
    }
    var request = Request(.post, url: server.url(), body: body)
    request.delivery = .undecided
    let response = try await HTTPTransport().send(request)
    mayFail.update { $0 = true }
    let bytes = try await response.body.delivered(.buffer(limit: 10), of: nil).bytes
    #expect(bytes == ByteBuffer(string: "hello"))
    await server.stop()
  }

  @Test(.timeLimit(.minutes(1)))
  func `a response is answered with though its connection breaks in the same read`() async throws {
    let peer = try await FramePeer.start()
    let engine = peer.engine()
    var request = peer.get()
    request.delivery = .undecided
    let task = engine.begin(request)
    let connection = try await peer.accept()
    _ = try await connection.request()
    // DATA on the stream 0 is an error.
    connection.send(.headers(1), .data(1, "ok", end: true), .data(0, "x"))
    #expect(try await task.value.body.collect() == ByteBuffer(string: "ok"))
    engine.shutDown()
    await peer.stop()
  }

  @Test(arguments: [Wire.http1, .h2c])
  func `a stream that is put where it does not fit fails, and its connection with it`(_ wire: Wire)
    async throws
  {
    let (server, engine) = try await wire.start()
    var request = Request(url: server.url("/range/5000000"))
    request.delivery = .stream
    let response = try await engine.send(request)
    let error = await #expect(throws: MartletError.self) {
      _ = try await response.body.delivered(.buffer(limit: 10), of: nil)
    }
    #expect(error?.code == .bodyTooLarge)
    engine.shutDown()
    await server.stop()
  }
}

import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import Testing

/// What an exchange says of itself when it is over.
@Suite(.timeLimit(.minutes(5)))
struct ExchangeMetricsTests {
  private static let pause = Duration.milliseconds(60)
  private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"

  /// Waits before the head, and again within the body.
  private let slow: [Script.Step] = [
    .readRequest, .wait(pause), .send(head + "ab"), .wait(pause), .send("cde"),
  ]

  @Test func `each part of an exchange has its time, and together they are all of it`()
    async throws
  {
    let server = try await ScriptedServer.start(Script(slow))
    let before = Date()
    let body = RequestBody.text("hello")
    let request = Request(.post, url: server.url("/a", host: "localhost"), body: body)
    let (metrics, lateness) = try await measuringLateness(ofLoops: true) {
      try await HTTPTransport().send(request).metrics
    }
    expectParts(of: metrics)
    // The server may have the request a moment before the engine takes the time.
    let firstByte = metrics.requestDuration + metrics.timeToFirstByte
    #expect(firstByte >= Self.pause - .milliseconds(1))
    #expect(metrics.timeToFirstByte >= Self.pause - .milliseconds(1) - lateness)
    #expect(firstByte + metrics.transferDuration >= Self.pause * 2 - .milliseconds(1))
    #expect((before...Date()).contains(metrics.startDate))
    let connection = try #require(metrics.connection)
    let made = (connection.resolveDuration ?? .zero) + connection.connectDuration
    #expect(made > .zero)
    #expect(metrics.connectionWait >= made)
    await server.stop()
  }

  @Test func `the bytes are those on the wire, and the connection says where it leads`()
    async throws
  {
    let server = try await ScriptedServer.start(Script(slow))
    let request = Request(.post, url: server.url("/a"), body: .text("hello"))
    let metrics = try await HTTPTransport().send(request).metrics
    #expect(metrics.bytesSent == Int64(server.bytes().readableBytes))
    #expect(metrics.bytesReceived == Int64(Self.head.utf8.count + 5))
    #expect(!metrics.isConnectionReused)
    let connection = try #require(metrics.connection)
    #expect(connection.protocolName == "http/1.1")
    #expect(connection.remoteAddress == "127.0.0.1:\(server.port)")
    #expect(connection.localAddress?.hasPrefix("127.0.0.1:") == true)
    #expect(connection.localAddress != connection.remoteAddress)
    // There was nothing to look up.
    #expect(connection.resolveDuration == nil)
    #expect(connection.connectDuration > .zero)
    #expect(connection.tlsDuration == nil)
    #expect(connection.tlsVersion == nil)
    await server.stop()
  }

  @Test func `over TLS the handshake has its time, and bytes are counted inside of it`()
    async throws
  {
    let authority = try TemporaryAuthority()
    let server = try await ScriptedServer.start(
      Script(slow), tls: ServerTLS(try authority.leaf()))
    var configuration = HTTPTransportConfiguration()
    configuration.tls.roots = .certificates([authority.root])
    let url = server.url("/a", host: "localhost")
    let metrics = try await HTTPTransport(configuration).send(Request(url: url)).metrics
    expectParts(of: metrics)
    #expect(metrics.bytesSent == Int64(server.bytes().readableBytes))
    #expect(metrics.bytesReceived == Int64(Self.head.utf8.count + 5))
    let connection = try #require(metrics.connection)
    let tls = try #require(connection.tlsDuration)
    #expect(tls > .zero)
    #expect(
      metrics.connectionWait >= (connection.resolveDuration ?? .zero) + connection.connectDuration
        + tls)
    #expect(connection.tlsVersion == "TLSv1.3")
    #expect(connection.protocolName == "http/1.1")
    await server.stop()
  }

  @Test func `on a reused connection everything is counted anew`() async throws {
    let server = try await ScriptedServer.start(Script(slow + slow))
    let engine = HTTPTransport()
    let long = Request(.post, url: server.url("/long"), body: .text("hello"))
    let first = try await engine.send(long).metrics
    let second = try await engine.send(Request(url: server.url("/b"))).metrics
    #expect(!first.isConnectionReused)
    #expect(second.isConnectionReused)
    #expect(first.connection === second.connection)
    expectParts(of: second)
    #expect(second.bytesSent == Int64(server.bytes().readableBytes) - first.bytesSent)
    #expect(second.bytesReceived == first.bytesReceived)
    #expect(server.connectionCount == 1)
    await server.stop()
  }

  @Test func `interim responses, chunks and trailers count, as they come in`() async throws {
    let text =
      "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
      + "3;a=b\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n"
    let server = try await ScriptedServer.start(.respond(text))
    let metrics = try await HTTPTransport().send(Request(url: server.url())).metrics
    #expect(metrics.bytesReceived == Int64(text.utf8.count))
    await server.stop()
  }

  @Test func `the metrics of a stream are final when it has ended`() async throws {
    let server = try await LoopbackServer.start()
    let finished = Locked<ExchangeMetrics?>(nil)
    let call = Call()
    call.observe { event in
      if case .attemptFinished(let metrics) = event.kind { finished.withLock { $0 = metrics } }
    }
    // More than lies waiting for a reader, so that nothing has ended before it reads.
    var request = Request(url: server.url("/stream-bytes/8000000?chunk_size=65536"))
    request.delivery = .stream
    request.call = call
    let response = try await HTTPTransport().send(request)
    #expect(finished.current == nil)
    #expect(response.metrics.bytesReceived < 8_000_000)
    #expect(try await response.body.collect().readableBytes == 8_000_000)
    #expect(response.metrics.bytesReceived > 8_000_000)
    #expect(response.metrics.totalDuration == finished.current?.totalDuration)
    expectParts(of: response.metrics)
    await server.stop()
  }

  private func expectParts(
    of metrics: ExchangeMetrics, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let parts = [
      metrics.connectionWait, metrics.requestDuration, metrics.timeToFirstByte,
      metrics.transferDuration,
    ]
    #expect(parts.allSatisfy { $0 >= .zero }, sourceLocation: sourceLocation)
    #expect(parts.reduce(.zero, +) == metrics.totalDuration, sourceLocation: sourceLocation)
  }
}

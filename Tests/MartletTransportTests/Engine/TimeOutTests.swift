import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import Testing

/// Each part of an exchange ends when its time is up, within 50 ms, and the error says which it was.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct TimeOutTests {
  @Test func `connecting may take 10 s, silence 60 s, and the whole any time by default`() {
    let timeouts = Timeouts()
    #expect(timeouts.connect == .seconds(10) && timeouts.tls == .seconds(10))
    #expect(timeouts.idle == .seconds(60) && timeouts.total == nil)
  }

  @Test func `a connection that is never made`() async throws {
    let port = try ReservedPort.hanging()
    let url = "http://127.0.0.1:\(port.port)"
    let error = try await failure(of: url, Timeouts(connect: .milliseconds(200)), after: 0.2)
    #expect(error.phase == .connect)
    #expect(error.isSafeToRetry)
    #expect(
      error.message
        == "Connecting to \(url) took longer than 200 ms: try again or raise the time-out.")
  }

  @Test func `a request that waits for another's connection has time-outs of its own`() async throws
  {
    let port = try ReservedPort.hanging()
    let url = "https://127.0.0.1:\(port.port)"
    let engine = HTTPTransport()
    var patient = Request(url: try #require(URL(string: url)))
    patient.options.timeouts = Timeouts(connect: nil)
    let first = patient
    let other = Task { try await engine.send(first) }
    let call = Call()
    var brief = Request(url: patient.url)
    brief.options.timeouts = Timeouts(connect: .milliseconds(200), tls: .milliseconds(100))
    brief.call = call
    let error = try await failure(of: brief, on: engine)
    #expect(error.phase == .connect)
    #expect(
      error.message
        == "Connecting to \(url) took longer than 200 ms: try again or raise the time-out.")
    other.cancel()
    _ = await other.result
  }

  @Test func `a TLS handshake that is never answered`() async throws {
    let port = try ReservedPort.silent()
    let url = "https://127.0.0.1:\(port.port)"
    let timeouts = Timeouts(connect: .seconds(5), tls: .milliseconds(200))
    let error = try await failure(of: url, timeouts, after: 0.2)
    #expect(error.phase == .tls)
    #expect(
      error.message
        == "The TLS handshake with \(url) took longer than 200 ms: try again or raise the time-out."
    )
  }

  @Test func `a first byte that never comes`() async throws {
    let server = try await ScriptedServer.start(.silent, repeatsLast: true)
    let origin = "http://127.0.0.1:\(server.port)"
    let timeouts = Timeouts(connect: .seconds(5), firstByte: .milliseconds(200))
    let error = try await failure(of: server.url().absoluteString, timeouts, after: 0.2)
    #expect(error.phase == .wait)
    #expect(!error.isSafeToRetry)
    #expect(
      error.message
        == "Waiting for the response of \(origin) took longer than 200 ms: try again or raise the time-out."
    )
    try await server.waitForConnectionsClosed()
    await server.stop()
  }

  @Test func `a body that falls silent`() async throws {
    let server = try await ScriptedServer.start(
      Script([.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .stall]),
      repeatsLast: true)
    let origin = "http://127.0.0.1:\(server.port)"
    let timeouts = Timeouts(connect: .seconds(5), idle: .seconds(3))
    let error = try await failure(of: server.url().absoluteString, timeouts, after: 3)
    #expect(error.phase == .receive)
    #expect(error.response?.status == .ok)
    #expect(
      error.message
        == "Receiving the response of \(origin) took longer than 3 s: try again or raise the time-out."
    )
    await server.stop()
  }

  @Test func `a request that the server does not read`() async throws {
    let server = try await ScriptedServer.start(
      Script([.readHead, .stopReading, .wait(.seconds(9))]))
    let bytes = ByteBuffer(repeating: 0x78, count: 1 << 20)
    let body = RequestBody.producer(length: nil) { write in
      while !Task.isCancelled { try await write(bytes) }
    }
    let timeouts = Timeouts(connect: .seconds(5), idle: .milliseconds(300))
    let request = try Request(.post, server.url().absoluteString, body: body)
    let error = try await failure(of: request, timeouts)
    #expect(error.code == .timedOut)
    #expect(error.phase == .send)
    await server.stop()
  }

  @Test func `a response that drips on without an end`() async throws {
    let server = try await ScriptedServer.start(
      Script([
        .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n"),
        .drip(ByteBuffer(repeating: 0x78, count: 999), every: .milliseconds(20)),
      ]), repeatsLast: true)
    let origin = "http://127.0.0.1:\(server.port)"
    let timeouts = Timeouts(connect: .seconds(5), idle: .seconds(1), total: .milliseconds(300))
    let error = try await failure(of: server.url().absoluteString, timeouts, after: 0.3)
    #expect(
      error.message
        == "The call to \(origin) took longer than the 300 ms allowed in total: try again or raise the time-out."
    )
    await server.stop()
  }

  @Test func `a wait for a busy connection counts towards the total`() async throws {
    let server = try await ScriptedServer.start(.silent)
    var configuration = HTTPTransportConfiguration()
    configuration.connections.maximumPerOrigin = 1
    let engine = HTTPTransport(configuration)
    let first = Task { try await engine.send(Request(url: server.url())) }
    try await server.waitForRequests(1)
    var second = Request(url: server.url())
    second.options.timeouts = Timeouts(connect: nil, total: .milliseconds(200))
    let error = try await failure(of: second, on: engine)
    #expect(error.code == .timedOut)
    first.cancel()
    _ = await first.result
    await server.stop()
  }

  @Test func `a stream whose reader rests is not late`() async throws {
    let server = try await LoopbackServer.start()
    var request = Request(url: server.url("/stream-bytes/8000000?chunk_size=65536"))
    request.delivery = .stream
    request.options.timeouts = Timeouts(connect: nil, idle: .milliseconds(500))
    let count = try await unlessLate(by: .milliseconds(100)) { [request] in
      var count = 0
      var rests = 2
      for try await chunk in try await HTTPTransport().send(request).body {
        count += chunk.readableBytes
        guard rests > 0 else { continue }
        rests -= 1
        try await Task.sleep(for: .milliseconds(900))
      }
      return count
    }
    #expect(count == 8_000_000)
    await server.stop()
  }

  @Test(arguments: [
    Duration.seconds(Int64.max), .seconds(Int64.max) * 2, .seconds(200 * Self.year),
  ])
  func `a limit of centuries is none`(limit: Duration) async throws {
    let server = try await LoopbackServer.start()
    var request = Request(url: server.url("/get"))
    request.options.timeouts = Timeouts(
      connect: limit, tls: limit, firstByte: limit, idle: limit, total: limit)
    #expect(try await HTTPTransport().send(request).status == .ok)
    await server.stop()
  }

  private static let year: Int64 = 366 * 24 * 60 * 60

  // MARK: Shorthands

  /// The error of a request, after a time that is right within 50 ms. A busy machine can only make it later.
  private func failure(of url: String, _ timeouts: Timeouts, after seconds: Double) async throws
    -> MartletError
  {
    try await unlessLate(by: .milliseconds(20)) {
      let start = ContinuousClock.now
      let error = try await failure(of: try Request(.get, url), timeouts)
      let elapsed = start.duration(to: .now) / .seconds(1)
      #expect(elapsed >= seconds - 0.001)
      guard elapsed <= seconds + 0.05 else { throw Late(elapsed: elapsed) }
      return error
    }
  }

  private struct Late: Error {
    let elapsed: Double
  }

  private func failure(of request: Request, _ timeouts: Timeouts) async throws -> MartletError {
    var request = request
    request.options.timeouts = timeouts
    return try await failure(of: request, on: HTTPTransport())
  }

  private func failure(of request: Request, on engine: HTTPTransport) async throws -> MartletError {
    do {
      _ = try await engine.send(request)
    } catch {
      return try #require(error as? MartletError)
    }
    throw MartletError(.decodingFailed, "A time-out was expected.")
  }
}

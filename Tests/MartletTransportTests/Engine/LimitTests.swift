import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import TestTiming
import Testing

/// Limits, suspension and shutting down while others wait.
@Suite(.timeLimit(.minutes(5)))
struct LimitTests {
  @Test(arguments: [1, 4])
  func `a limit in all lets every origin have its turn`(_ loops: Int) async throws {
    let servers = [
      try await LoopbackServer.start(), try await LoopbackServer.start(),
      try await LoopbackServer.start(), try await LoopbackServer.start(),
    ]
    var configuration = HTTPTransportConfiguration.loops(loops)
    configuration.connections.maximumTotal = 2
    let engine = HTTPTransport(configuration)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<200 {
        let url = servers[number % servers.count].url("/get")
        group.addTask { try await engine.send(Request(url: url)).status.code }
      }
      for try await code in group { #expect(code == 200) }
    }
    for server in servers { await server.stop() }
  }

  @Test(arguments: [1, 4])
  func `one idle connection makes way for one that is needed, and no more`(
    _ loops: Int
  ) async throws {
    let others = [
      try await LoopbackServer.start(), try await LoopbackServer.start(),
      try await LoopbackServer.start(),
    ]
    let last = try await LoopbackServer.start()
    var configuration = HTTPTransportConfiguration.loops(loops)
    configuration.connections.maximumTotal = 3
    let engine = HTTPTransport(configuration)
    for server in others { _ = try await engine.send(Request(url: server.url("/get"))) }
    let idle = { others.map(\.openConnectionCount).reduce(0, +) }
    for _ in 0..<20 { _ = try await engine.send(Request(url: last.url("/get"))) }
    try await eventually { idle() <= 2 }
    _ = try await engine.send(Request(url: last.url("/get")))
    #expect(idle() == 2)
    for server in others + [last] { await server.stop() }
  }

  @Test(arguments: [1, 4])
  func `a connection past its age makes way at once`(_ loops: Int)
    async throws
  {
    let server = try await LoopbackServer.start()
    var configuration = HTTPTransportConfiguration.loops(loops)
    configuration.connections.maximumPerOrigin = 1
    configuration.connections.maximumAge = .milliseconds(1)
    let engine = HTTPTransport(configuration)
    for _ in 0..<3 {
      #expect(try await engine.send(Request(url: server.url("/get"))).status == .ok)
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(server.connectionCount == 3)
    await server.stop()
  }

  @Test(arguments: [1, 4])
  func `an idle connection is closed when its time is up`(_ loops: Int)
    async throws
  {
    let server = try await LoopbackServer.start()
    var configuration = HTTPTransportConfiguration.loops(loops)
    configuration.connections.keepAliveDuration = .milliseconds(50)
    let engine = HTTPTransport(configuration)
    _ = try await engine.send(Request(url: server.url("/get")))
    try await server.waitForOpenConnections(0)
    await server.stop()
  }

  @Test func `a held request fails when the engine is shut down`() async throws {
    let server = try await LoopbackServer.start()
    let engine = HTTPTransport()
    let call = Call()
    call.suspend()
    var request = Request(url: server.url("/get"))
    request.call = call
    let held = request
    let task = Task { try await engine.send(held) }
    _ = try await engine.send(Request(url: server.url("/get")))
    engine.shutDown()
    await #expect {
      try await task.value
    } throws: { ($0 as? MartletError)?.code == .shutDown }
    #expect(server.requestCount == 1)
    await server.stop()
  }

  @Test(.timeLimit(.minutes(1)))
  func `the only request, held before it began, fails when the engine is shut down`() async throws {
    let server = try await LoopbackServer.start()
    let engine = HTTPTransport()
    let call = Call()
    call.suspend()
    var request = Request(url: server.url("/get"))
    request.call = call
    let held = request
    let task = Task { try await engine.send(held) }
    // The loop is one: what is asked of another origin is behind the request that is held.
    let other = try await LoopbackServer.start()
    _ = try await engine.send(Request(url: other.url("/get")))
    engine.shutDown()
    await #expect {
      try await task.value
    } throws: { ($0 as? MartletError)?.code == .shutDown }
    #expect(server.connectionCount == 0)
    await server.stop()
    await other.stop()
  }

  @Test(.timeLimit(.minutes(1)))
  func `a connection that is never idle makes way for another origin`() async throws {
    let busy = try await LoopbackServer.start(priorKnowledge: true)
    let other = try await LoopbackServer.start(priorKnowledge: true)
    var configuration = HTTPTransportConfiguration()
    configuration.versions = .http2
    configuration.connections.maximumTotal = 1
    let engine = HTTPTransport(configuration)
    let greedy = (0..<3).map { _ in
      Task {
        while !Task.isCancelled {
          _ = try await engine.send(Request(url: busy.url("/drip?numbytes=2&duration=0.2")))
        }
      }
    }
    try await eventually { busy.requestCount >= 4 }
    let response = try await engine.send(Request(url: other.url("/get")))
    #expect(response.status == .ok)
    greedy.forEach { $0.cancel() }
    await busy.stop()
    await other.stop()
  }

  @Test func `a request that is held while its connection goes stale stays held`() async throws {
    struct SentAgain: Error {}
    let text = try await unlessLate(by: .milliseconds(500)) {
      let server = try await ScriptedServer.start(
        Script([
          .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), .readHead,
          .wait(.seconds(1)), .close,
        ]), .text("second"))
      let engine = HTTPTransport()
      _ = try await engine.send(Request(url: server.url()))
      let call = Call()
      var request = Request(url: server.url())
      request.call = call
      let task = engine.begin(request)
      try await server.waitForRequests(2)
      call.suspend()
      try await server.waitForConnectionsClosed()
      let isSentAgain = server.connectionCount > 1
      call.resume()
      let text = String(buffer: try await task.value.body.collect())
      engine.shutDown()
      await server.stop()
      guard !isSentAgain else { throw SentAgain() }
      return text
    }
    #expect(text == "second")
  }

  @Test(.timeLimit(.minutes(1)))
  func `an attempt that no request waits for releases its place in the limit`() async throws {
    let port = try ReservedPort.silent()
    var configuration = HTTPTransportConfiguration()
    configuration.connections.maximumPerOrigin = 1
    configuration.timeouts = .none
    let engine = HTTPTransport(configuration)
    // The handshake is never answered; each request is given up, and the next one must get its turn.
    for _ in 0..<3 {
      let connecting = Locked(false)
      let call = Call()
      call.observe { event in
        if case .securing = event.kind { connecting.withLock { $0 = true } }
      }
      var request = try Request(.get, "https://127.0.0.1:\(port.port)/")
      request.call = call
      let sent = request
      let task = Task { try await engine.send(sent) }
      try await eventually { connecting.current }
      task.cancel()
      await #expect {
        try await task.value
      } throws: { ($0 as? MartletError)?.code == .cancelled }
    }
  }

  @Test func `a head of very many lines is refused`() async throws {
    let lines = String(repeating: "a:\n", count: 66_000)
    let server = try await ScriptedServer.start(
      .respond("HTTP/1.1 200 OK\n\(lines)\n"),
      .respond("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\(lines)\n"))
    for _ in 0..<2 {
      await #expect {
        try await HTTPTransport().send(Request(url: server.url()))
      } throws: { error in
        (error as? MartletError)?.message
          == "The server's response is not HTTP/1.1: it has more than 4096 header lines."
      }
    }
    await server.stop()
  }

  @Test func `cancelling an upload ends its producer`() async throws {
    let server = try await ScriptedServer.start(
      Script([.readHead, .stopReading, .wait(.seconds(60))]))
    let began = Locked(false)
    let ended = Locked(false)
    let chunk = ByteBuffer(repeating: 0x78, count: 1 << 20)
    let body = RequestBody.producer(length: nil) { write in
      began.withLock { $0 = true }
      defer { ended.withLock { $0 = true } }
      while true { try await write(chunk) }
    }
    let request = Request(.post, url: server.url(), body: body)
    let task = Task { try await HTTPTransport().send(request) }
    try await eventually { began.current }
    task.cancel()
    await #expect {
      try await task.value
    } throws: { ($0 as? MartletError)?.code == .cancelled }
    try await eventually { ended.current }
    await server.stop()
  }

  @Test func `a chunked body in memory is collected whole, however many chunks it has`()
    async throws
  {
    let server = try await LoopbackServer.start()
    let url = server.url("/stream-bytes/3000000?chunk_size=1000")
    let response = try await HTTPTransport().send(Request(url: url))
    #expect(response.body.bytes?.readableBytes == 3_000_000)
    await server.stop()
  }
}

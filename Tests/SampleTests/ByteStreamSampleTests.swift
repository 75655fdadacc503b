// Compiled as an application would be: `import Martlet`, and no feature flag.

import HTTPTypes
import Martlet
import MartletTesting
import NIOCore
import Testing

/// Protocols that begin as HTTP.
@Suite(.timeLimit(.minutes(5)))
struct ByteStreamSampleTests {
  @Test func `a session hands out a connection that speaks another protocol`() async throws {
    let server = try await ScriptedServer.start(
      Script([
        .readRequest,
        .send(
          "HTTP/1.1 101 Switching Protocols\r\nUpgrade: lines\r\nConnection: Upgrade\r\n\r\nhello "),
        .readBytes(1 << 10), .send("world"), .close,
      ]))
    var request = Request(url: server.url())
    request.headers[.upgrade] = "lines"
    request.headers[.connection] = "Upgrade"
    let response = try await URLSessionManager().send(request)
    #expect(response.status == .switchingProtocols)
    let stream = try #require(response.upgradedConnection)
    try await stream.write(ByteBuffer(repeating: 0, count: 1 << 10))
    var heard = ""
    while let bytes = try await stream.read() { heard += String(buffer: bytes) }
    #expect(heard == "hello world")
    await server.stop()
  }
}

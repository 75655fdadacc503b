import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import Testing

/// Bodies that come so fast that they are waited for in larger pieces.
struct FastBodyTests {
  private let sent = (8 << 20) + 1_000

  @Test(arguments: [false, true])
  func `what a fast server has sent arrives although it falls silent`(isSecure: Bool) async throws {
    let authority = try TemporaryAuthority()
    let head = "HTTP/1.1 200 OK\r\nContent-Length: \(64 << 20)\r\n\r\n"
    let server = try await ScriptedServer.start(
      Script([
        .readRequest, .send(head), .sendBytes(ByteBuffer(repeating: 1, count: sent - 1_000)),
        .sendBytes(ByteBuffer(repeating: 1, count: 1_000)), .stall,
      ]),
      tls: isSecure ? ServerTLS(try authority.leaf()) : nil)
    var configuration = EngineConfiguration()
    configuration.tls.roots = .certificates([authority.root])
    let transport = HTTPTransport(configuration)
    var request = Request(url: server.url())
    request.delivery = .stream
    request.options.timeouts = Timeouts(connect: nil, idle: .seconds(5))
    var received = 0
    for try await chunk in try await transport.send(request).body {
      received += chunk.readableBytes
      if received == sent { break }
    }
    #expect(received == sent)
    transport.shutDown()
    await server.stop()
  }
}

import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import NIOCore
import Testing

/// Servers that die, or fall silent, while TLS is agreed on or right after.
@Suite(.timeLimit(.minutes(5)))
struct HalfDeadPeerTests {
  /// The beginning of a ServerHello, whose record is said to be longer.
  private static let halfRecord = Script.Step.sendBytes(
    ByteBuffer(bytes: [22, 3, 3, 0, 122, 2, 0, 0, 118, 3, 3, 1, 2, 3]))

  @Test(arguments: [
    Script([.readBytes(1), .close]), Script([.readBytes(1), .reset]),
    Script([.readBytes(1), halfRecord, .close]), Script([.readBytes(1), halfRecord, .reset]),
  ])
  func `a server that dies in the middle of a handshake has closed the connection`(script: Script)
    async throws
  {
    let server = try await ScriptedServer.start(script)
    await #expect {
      try await send(to: server)
    } throws: { error in
      let error = error as? MartletError
      return error?.code == .tlsFailed && error?.phase == .tls && error?.isSafeToRetry == true
        && error?.message
          == "The TLS handshake with https://127.0.0.1:\(server.port) failed: the server closed the connection before it was secure. Try again, or check that it speaks TLS on this port."
    }
    #expect(!String(buffer: server.bytes()).contains("secret"))
    await server.stop()
  }

  @Test(arguments: [Script([.stall]), Script([.readBytes(1), halfRecord, .stall])])
  func `a server that falls silent in the middle of a handshake ends with the time-out for TLS`(
    script: Script
  ) async throws {
    let server = try await ScriptedServer.start(script)
    await #expect {
      try await send(to: server) { $0.timeouts.tls = .milliseconds(200) }
    } throws: { error in
      let error = error as? MartletError
      return error?.code == .timedOut && error?.phase == .tls
        && error?.message
          == "The TLS handshake with https://127.0.0.1:\(server.port) took longer than 200 ms: try again or raise the time-out."
    }
    try await server.waitForConnectionsClosed()
    #expect(!String(buffer: server.bytes()).contains("secret"))
    await server.stop()
  }

  @Test(arguments: [ServerTLS.Version.tls12, .tls13], [Script.Step.close, .reset])
  func `a server that closes right after the handshake has not answered`(
    version: ServerTLS.Version, end: Script.Step
  ) async throws {
    let authority = try TemporaryAuthority()
    var tls = ServerTLS(try authority.leaf())
    tls.versions = version...version
    let server = try await ScriptedServer.start(Script([.handshake, end]), tls: tls)
    await #expect {
      try await send(to: server) { $0.tls.roots = .certificates([authority.root]) }
    } throws: { error in
      let error = error as? MartletError
      let lost = "https://127.0.0.1:\(server.port) closed the connection"
      // The request may have left, or be on its way, by the time that the end is noticed.
      return error?.code == .connectionLost
        && [
          "\(lost) before the request was sent: try again.",
          "\(lost) before the whole request was sent: try again.",
          "\(lost) before it had answered: try again.",
        ].contains(error?.message)
    }
    await server.stop()
  }

  @Test(arguments: [ServerTLS.Version.tls12, .tls13])
  func `a body that ends with the connection is whole only after the alert of TLS (RFC 9112 §9.8)`(
    version: ServerTLS.Version
  ) async throws {
    let authority = try TemporaryAuthority()
    var tls = ServerTLS(try authority.leaf())
    tls.versions = version...version
    let head = Script.Step.send("HTTP/1.1 200 OK\r\n\r\nabc")
    let server = try await ScriptedServer.start(
      Script([.readRequest, head, .close]), Script([.readRequest, head, .stall]), tls: tls)
    var configuration = HTTPTransportConfiguration()
    configuration.tls.roots = .certificates([authority.root])
    let engine = HTTPTransport(configuration)
    var request = try Request(.get, "https://127.0.0.1:\(server.port)/")
    #expect(String(buffer: try await engine.send(request).body.collect()) == "abc")
    request.delivery = .stream
    let body = try await engine.send(request).body
    await #expect {
      for try await chunk in body {
        #expect(String(buffer: chunk) == "abc")
        // Without an alert, the connection may have been closed by the network.
        await server.stop()
      }
    } throws: { ($0 as? MartletError)?.code == .bodyTruncated }
    await engine.close()
  }

  private func send(
    to server: ScriptedServer, _ change: (inout HTTPTransportConfiguration) -> Void = { _ in }
  ) async throws {
    var configuration = HTTPTransportConfiguration()
    change(&configuration)
    let engine = HTTPTransport(configuration)
    defer { engine.shutDown() }
    var request = try Request(.post, "https://127.0.0.1:\(server.port)/secret")
    request.body = .bytes(ByteBuffer(string: "secret"))
    _ = try await engine.send(request)
  }
}

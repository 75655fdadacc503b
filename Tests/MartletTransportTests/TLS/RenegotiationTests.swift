import Foundation
import HTTPTypes
import MartletCore
import MartletTesting
import MartletTransport
import Testing

/// Servers that request a second TLS handshake (RFC 5246 §7.4.1.1), as `openssl s_server` does on command.
@Suite(.enabled(if: OpenSSLServer.isThere), .timeLimit(.minutes(5)))
struct RenegotiationTests {
  @Test func `a server that requests a renegotiation is refused, and the error says why`()
    async throws
  {
    let authority = try TemporaryAuthority()
    let server = try await OpenSSLServer.start(try authority.leaf())
    defer { server.stop() }
    var configuration = HTTPTransportConfiguration()
    configuration.tls.roots = .certificates([authority.root])
    let engine = HTTPTransport(configuration)
    let url = "https://localhost:\(server.port)"
    async let response = engine.send(Request(.get, url + "/"))
    try await server.waitForOutput("GET / HTTP/1.1")
    try server.renegotiate()
    do {
      _ = try await response
      Issue.record("There should be no response.")
    } catch let error as MartletError {
      #expect(error.code == .tlsFailed)
      #expect(
        error.message
          == "\(url) requested a TLS renegotiation, which is not supported because it is not safe: if it requires a client certificate, have it request one in the first handshake."
      )
    }
  }
}

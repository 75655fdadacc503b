import HTTPTypes
import MartletCore
import MartletTesting
import Testing

@testable import MartletTransport

/// What the TLS library says, in our words.
@Suite(.timeLimit(.minutes(5)))
struct HandshakeFailureTests {
  private struct Stack: Error, CustomStringConvertible {
    let description: String
  }

  @Test(
    arguments: [
      ("error:100000e9:SSL routines:CANNOT_PARSE_LEAF_CERT", .certificateUnreadable),
      ("KEY_USAGE_BIT_INCORRECT", .certificateUntrusted), ("SOMETHING_ELSE", .tlsFailed),
    ] as [(String, MartletError.Code)])
  func `what is wrong with a certificate is said as if we had found it`(
    text: String, code: MartletError.Code
  ) throws {
    let origin = try Request(.get, "https://example.com/").origin
    let error = HandshakeFailure.error(Stack(description: text), origin: origin)
    #expect(error.code == code)
    #expect(error.underlying is Stack)
  }

  @Test func `an evaluation of trust that does not return ends with the time-out for TLS`()
    async throws
  {
    struct Ditherer: TrustEvaluating {
      func evaluate(_ trust: ServerTrust) async throws { try await Task.sleep(for: .seconds(3600)) }
    }
    let server = try await LoopbackServer.start(tls: ServerTLS(try TemporaryAuthority().leaf()))
    var configuration = HTTPTransportConfiguration()
    configuration.timeouts.tls = .milliseconds(300)
    configuration.tls.evaluator = Ditherer()
    await #expect {
      try await HTTPTransport(configuration).send(
        Request(url: server.url("/get", host: "localhost")))
    } throws: { error in
      let error = error as? MartletError
      return error?.code == .timedOut && error?.phase == .tls
    }
    await server.stop()
  }
}

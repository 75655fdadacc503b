import MartletCore
import NIOCore
import NIOSSL
import Testing

@testable import MartletTransport

/// Which ends of connections are for want of a client certificate.
@Suite(.timeLimit(.minutes(5)))
struct ClientIdentityResolverTests {
  private struct KeyStoreLocked: Error {}

  private let origin = Origin(isSecure: true, endpoint: .host("localhost", port: 443))

  @Test func `an identity that could not be had ends one connection and no other`()
    async throws
  {
    let resolver = resolver { $0.clientIdentityProvider = { _ in throw KeyStoreLocked() } }
    let failure = try #require(
      await #expect(throws: IdentityFailure.self) { try await resolver.providedAnswer() })
    #expect(refusal(resolver, after: failure)?.code == .invalidClientIdentity)
    for isFresh in [false, true] {
      #expect(refusal(resolver, after: ChannelError.eof, isFresh: isFresh) == nil)
    }
  }

  @Test func `no certificate is missed after a handshake without a challenge`()
    async throws
  {
    let resolver = resolver { _ in }
    _ = resolver.answer()
    resolver.handshakeSucceeded(since: 0)
    #expect(
      refusal(resolver, after: ChannelError.eof, isFresh: true)?.code == .clientCertificateRequired)

    resolver.handshakeSucceeded(since: resolver.challengeCount)
    #expect(refusal(resolver, after: ChannelError.eof, isFresh: true) == nil)
  }

  private func resolver(_ change: (inout TLSOptions) -> Void) -> ClientIdentityResolver {
    var options = TLSOptions()
    change(&options)
    return ClientIdentityResolver(options, host: "localhost")
  }

  private func refusal(
    _ resolver: ClientIdentityResolver, after error: any Error, isFresh: Bool = false
  )
    -> MartletError?
  {
    resolver.clientCertificateError(after: error, origin: origin, isFresh: isFresh)
  }
}

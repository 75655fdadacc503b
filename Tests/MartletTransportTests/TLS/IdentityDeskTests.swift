import MartletCore
import NIOCore
import NIOPosix
import NIOSSL
import Testing

@testable import MartletTransport

/// Which ends of connections are for want of a client certificate.
@Suite(.timeLimit(.minutes(5)))
struct IdentityDeskTests {
  private struct KeyStoreLocked: Error {}

  private let origin = Origin(isSecure: true, endpoint: .host("localhost", port: 443))

  @Test func `an identity that could not be had ends one connection and no other`()
    async throws
  {
    let desk = desk { $0.identityProvider = { _ in throw KeyStoreLocked() } }
    let failure = try #require(
      await #expect(throws: IdentityFailure.self) { try await challenge(desk) })
    #expect(refusal(desk, after: failure)?.code == .invalidClientIdentity)
    for isFresh in [false, true] {
      #expect(refusal(desk, after: ChannelError.eof, isFresh: isFresh) == nil)
    }
  }

  @Test func `no certificate is missed after a handshake without a challenge`()
    async throws
  {
    let desk = desk { _ in }
    try await challenge(desk)
    desk.handshakeSucceeded(since: 0)
    #expect(
      refusal(desk, after: ChannelError.eof, isFresh: true)?.code == .clientCertificateRequired)

    desk.handshakeSucceeded(since: desk.challengeCount)
    #expect(refusal(desk, after: ChannelError.eof, isFresh: true) == nil)
  }

  private func desk(_ change: (inout TLSOptions) -> Void) -> IdentityDesk {
    var options = TLSOptions()
    change(&options)
    return IdentityDesk(options, host: "localhost")
  }

  private func challenge(_ desk: IdentityDesk) async throws {
    let promise = MultiThreadedEventLoopGroup.singleton.next().makePromise(
      of: NIOSSLContextConfigurationOverride.self)
    desk.answer(promise)
    _ = try await promise.futureResult.get()
  }

  private func refusal(_ desk: IdentityDesk, after error: any Error, isFresh: Bool = false)
    -> MartletError?
  {
    desk.refusal(after: error, origin: origin, isFresh: isFresh)
  }
}

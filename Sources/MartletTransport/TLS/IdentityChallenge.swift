import MartletCore
import NIOCore
import NIOSSL

/// A server's request for a client certificate (RFC 8446 §4.3.2).
public struct IdentityChallenge: Hashable, Sendable {
  /// The host that asks.
  public let host: String
}

/// Answers the challenges of one origin.
final class IdentityDesk: Sendable {
  private enum Asked {
    case never
    case shown(Bool)
  }

  private let host: String
  private let identity: ClientIdentity?
  private let provider: TLSOptions.IdentityProvider?
  private let asked = Locked(Asked.never)

  init(_ options: TLSOptions, host: String) {
    self.host = host
    identity = HostPattern.closest(to: host, among: options.identities.keys)
      .flatMap { options.identities[$0] }
    provider = options.identityProvider
  }

  /// Called when the server asks, and only then.
  func answer(_ promise: EventLoopPromise<NIOSSLContextConfigurationOverride>) {
    if let identity { return promise.succeed(shown(identity)) }
    guard let provider else { return promise.succeed(shown(nil)) }
    promise.completeWithTask { [self] in
      shown(try await provider(IdentityChallenge(host: host)))
    }
  }

  private func shown(_ identity: ClientIdentity?) -> NIOSSLContextConfigurationOverride {
    asked.withLock { $0 = .shown(identity != nil) }
    guard let identity else { return .noChanges }
    var override = NIOSSLContextConfigurationOverride()
    override.certificateChain = identity.certificateSources
    override.privateKey = .privateKey(identity.key)
    return override
  }

  /// Why the connection may have ended: servers say no during the handshake or, since TLS 1.3, after it,
  /// where the connection may be closed before anybody uses it.
  func refusal(after error: (any Error)?, origin: Origin) -> MartletError? {
    guard let error, error is BoringSSLError || error is NIOSSLError || error is ChannelError,
      case .shown(let wasShown) = asked.current
    else { return nil }
    return .clientCertificate(origin, wasShown: wasShown, underlying: error)
  }
}

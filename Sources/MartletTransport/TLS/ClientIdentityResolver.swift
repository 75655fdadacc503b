import EssentialFoundation
import MartletCore
import NIOCore
import NIOSSL

/// The identity provider failed. The connection whose handshake that ends has this as its error, and no other has.
struct IdentityFailure: Error {
  let underlying: any Error
}

/// Answers the challenges of one origin.
final class ClientIdentityResolver: Sendable {
  /// The challenges of the origin so far.
  private struct Challenges {
    var count = 0
    /// Whether the answer to the last was a certificate; `nil` when the last handshake was without a challenge.
    var wasShown: Bool?
  }

  private let host: String
  private let identity: ClientIdentity?
  private let provider: TLSOptions.ClientIdentityProvider?
  private let challenges = Locked(Challenges())

  init(_ options: TLSOptions, host: String) {
    self.host = host
    identity = HostPattern.mostSpecific(for: host, among: options.clientIdentities.keys)
      .flatMap { options.clientIdentities[$0] }
    provider = options.clientIdentityProvider
  }

  /// Called when the server asks, and only then.
  func resolve(_ promise: EventLoopPromise<NIOSSLContextConfigurationOverride>) {
    if let identity { return promise.succeed(shown(identity)) }
    guard let provider else { return promise.succeed(shown(nil)) }
    promise.completeWithTask { [self] in
      do {
        return shown(try await provider(ClientCertificateRequest(host: host)))
      } catch {
        throw IdentityFailure(underlying: error)
      }
    }
  }

  private func shown(_ identity: ClientIdentity?) -> NIOSSLContextConfigurationOverride {
    challenges.withLock { challenges in
      challenges.count += 1
      challenges.wasShown = identity != nil
    }
    guard let identity else { return .noChanges }
    var override = NIOSSLContextConfigurationOverride()
    override.certificateChain = identity.certificateSources
    override.privateKey = .privateKey(identity.key)
    return override
  }

  /// How many challenges there were.
  var challengeCount: Int { challenges.current.count }

  /// Takes note of a handshake that has succeeded: without a challenge, no later loss is for want of a certificate.
  ///
  /// - Parameter count: How many challenges there were when it began.
  func handshakeSucceeded(since count: Int) {
    challenges.withLock { if $0.count == count { $0.wasShown = nil } }
  }

  /// Why the connection has ended, if it is for want of a certificate: servers say no during the handshake or,
  /// since TLS 1.3, after it.
  ///
  /// - Parameters:
  ///   - error: How the connection ended.
  ///   - origin: The server.
  ///   - isFresh: Whether the server has not said anything else yet. Its reason may be lost then, because it
  ///     closes the connection while the request is coming in.
  /// - Returns: The error that says so; `nil` when it ended for another reason.
  func clientCertificateError(after error: (any Error)?, origin: Origin, isFresh: Bool)
    -> MartletError?
  {
    guard let error else { return nil }
    if let failure = error as? IdentityFailure {
      return .noClientCertificate(origin.host, underlying: failure.underlying)
    }
    guard let wasShown = challenges.current.wasShown,
      error.isAboutCertificates || isFresh && error.isClosing
    else { return nil }
    return .clientCertificate(origin, wasShown: wasShown, underlying: error)
  }
}

extension Error {
  /// Whether it is an alert with which servers refuse certificates or the lack of one (RFC 8446 §6.2).
  fileprivate var isAboutCertificates: Bool {
    let stack: NIOBoringSSLErrorStack
    switch self as any Error {
    case NIOSSLError.handshakeFailed(.sslError(let errors)): stack = errors
    case BoringSSLError.sslError(let errors): stack = errors
    default: return false
    }
    let text = "\(stack)"
    return text.contains("ALERT")
      && ["CERTIFICATE", "UNKNOWN_CA", "HANDSHAKE_FAILURE", "ACCESS_DENIED"].contains(
        where: text.contains)
  }

  /// Whether the server has closed the connection, and no more is known.
  fileprivate var isClosing: Bool { self is ChannelError || self is IOError }
}

import EssentialFoundation
import MartletCore
import NIOCore
import NIOSSL

/// A failure of the identity provider, which ends the handshake of one connection only.
struct IdentityFailure: Error {
  let underlying: any Error
}

/// Answers the requests of one origin for a client certificate, which are called challenges here.
final class ClientIdentityResolver: Sendable {
  /// The challenges of the origin so far.
  private struct Challenges {
    var count = 0
    /// Whether the answer to the last challenge was a certificate; `nil` before the first challenge, and when the last
    /// successful handshake had none.
    var hasSentCertificate: Bool?
  }

  private let host: String
  private let identity: ClientIdentity?
  private let provider: TLSOptions.ClientIdentityProvider?
  private let challenges = Locked(Challenges())

  init(_ options: TLSOptions, host: String) {
    self.host = host
    identity = options.clientIdentity(for: host)
    provider = options.clientIdentityProvider
  }

  /// Whether the provider has to be asked, whose answer may take long.
  var asksProvider: Bool { identity == nil && provider != nil }

  /// The answer to a challenge without the provider's help.
  func answer() -> NIOSSLContextConfigurationOverride { answer(with: identity) }

  /// The provider's answer to a challenge.
  ///
  /// - Throws: `IdentityFailure` with the provider's error.
  func providedAnswer() async throws -> NIOSSLContextConfigurationOverride {
    do {
      return answer(with: try await provider?(ClientCertificateRequest(host: host)))
    } catch {
      throw IdentityFailure(underlying: error)
    }
  }

  private func answer(with identity: ClientIdentity?) -> NIOSSLContextConfigurationOverride {
    challenges.withLock { challenges in
      challenges.count += 1
      challenges.hasSentCertificate = identity != nil
    }
    guard let identity else { return .noChanges }
    var override = NIOSSLContextConfigurationOverride()
    override.certificateChain = identity.certificateSources
    override.privateKey = .privateKey(identity.key)
    return override
  }

  /// How many challenges there were.
  var challengeCount: Int { challenges.current.count }

  /// Records a successful handshake. If it had no challenge, a later loss of the connection is not due to a missing
  /// certificate.
  ///
  /// - Parameter count: How many challenges there were when the handshake began.
  func handshakeSucceeded(since count: Int) {
    challenges.withLock { if $0.count == count { $0.hasSentCertificate = nil } }
  }

  /// The error for a connection that ended because of its client certificate or the lack of one.
  ///
  /// Servers refuse during the handshake or, since TLS 1.3, after it.
  ///
  /// - Parameters:
  ///   - error: How the connection ended.
  ///   - origin: The server.
  ///   - isFresh: Whether the connection has never been idle or reused, and no response has arrived over it. The
  ///     server's alert may be lost then, because the server closes the connection while the request arrives.
  /// - Returns: The error; `nil` when the connection ended for another reason.
  func clientCertificateError(after error: (any Error)?, origin: Origin, isFresh: Bool)
    -> MartletError?
  {
    guard let error else { return nil }
    if let failure = error as? IdentityFailure {
      return .noClientCertificate(origin.host, underlying: failure.underlying)
    }
    guard let hasSentCertificate = challenges.current.hasSentCertificate,
      error.isAboutCertificates || isFresh && error.isClosing
    else { return nil }
    return .clientCertificate(origin, wasShown: hasSentCertificate, underlying: error)
  }
}

extension Error {
  /// Whether it is an alert by which servers refuse a certificate or the lack of one (RFC 8446 §6.2).
  fileprivate var isAboutCertificates: Bool {
    let stack: NIOBoringSSLErrorStack
    switch self as any Error {
    case NIOSSLError.handshakeFailed(.sslError(let errors)): stack = errors
    case BoringSSLError.sslError(let errors): stack = errors
    default: return false
    }
    let text = "\(stack)"
    return HandshakeFailure.isAlert(text)
      && ["CERTIFICATE", "UNKNOWN_CA", "HANDSHAKE_FAILURE", "ACCESS_DENIED"].contains(
        where: text.contains)
  }

  /// Whether it only says that the connection was closed or failed, and not why.
  fileprivate var isClosing: Bool { self is ChannelError || self is IOError }
}

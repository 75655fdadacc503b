import EssentialFoundation
import MartletCore
import NIOCore
import NIOSSL
import SystemPackage

/// Makes the TLS handshakes of an engine; reads the roots and checks the options once.
struct TLSHandshakeFactory: Sendable {
  private let evaluator: any TrustEvaluating
  private let configuration: TLSConfiguration
  private let options: TLSOptions
  /// A context is expensive to make, so it outlives the pool of its origin, which ends with its last connection.
  private let handshakes = Locked<[Origin: TLSHandshake]>([:])

  private static let maximumHandshakes = 256

  /// - Throws: `MartletError` with code `.invalidTrustRoots`, or `.invalidHostPattern` for a client identity with an
  ///   invalid host pattern.
  init(_ options: TLSOptions, versions: HTTPTransportConfiguration.Versions) throws(MartletError) {
    if let problem = options.clientIdentities.keys.lazy.compactMap(\.problem).first {
      throw problem
    }
    evaluator = try options.trustEvaluator
    configuration = TLSConfiguration(options, versions)
    self.options = options
  }

  /// The handshake with one origin.
  ///
  /// - Throws: `MartletError` with code `.invalidTLSOptions`.
  func handshake(with origin: Origin) throws(MartletError) -> TLSHandshake {
    if let known = handshakes.withLock({ $0[origin] }) { return known }
    let made = try makeHandshake(with: origin)
    handshakes.withLock { handshakes in
      if handshakes.count >= Self.maximumHandshakes { handshakes = [:] }
      handshakes[origin] = made
    }
    return made
  }

  private func makeHandshake(with origin: Origin) throws(MartletError) -> TLSHandshake {
    let resolver = ClientIdentityResolver(options, host: origin.host)
    let chosen = (evaluator as? any TLSVersionChoosing)?.versions(for: origin.host)
    var configuration = configuration
    try configuration.setVersions(chosen?.filled(from: options.versions) ?? options.versions)
    configuration.sslContextCallback = { _, promise in promise.succeed(resolver.answer()) }
    do {
      let context = try NIOSSLContext(configuration: configuration)
      return TLSHandshake(context: context, evaluator: evaluator, identityResolver: resolver)
    } catch {
      throw .invalidTLSOptions(underlying: error)
    }
  }
}

extension TLSConfiguration {
  /// The configuration of NIOSSL for all hosts.
  init(_ options: TLSOptions, _ versions: HTTPTransportConfiguration.Versions) {
    self = .makeClientConfiguration()
    applicationProtocols = versions.applicationProtocols
    // Until the server has answered the close_notify alert, a closed connection keeps its place in the pool.
    shutdownTimeout = .seconds(1)
    // The evaluator does all of the verification, so NIOSSL needs no roots of its own. `certificateVerification` must
    // not be `.none`: then NIOSSL would not call the evaluator, and pins would not count.
    trustRoots = .certificates([])
    certificateVerification = .noHostnameVerification
    verifySignatureAlgorithms = Self.strongSignatures
    if let path = options.keyLogFile?.path {
      let log = KeyLog(path: path)
      keyLogCallback = { log.write($0) }
    }
  }

  /// The secure signature algorithms for handshakes, for every kind of key that a server's certificate may have.
  ///
  /// RFC 9155 forbids SHA-1.
  private static let strongSignatures: [SignatureAlgorithm] = [
    .ecdsaSecp256R1Sha256, .ed25519, .rsaPssRsaeSha256, .rsaPkcs1Sha256, .ecdsaSecp384R1Sha384,
    .rsaPssRsaeSha384, .rsaPkcs1Sha384, .ecdsaSecp521R1Sha512, .rsaPssRsaeSha512, .rsaPkcs1Sha512,
  ]

  /// Sets the versions.
  ///
  /// - Throws: `MartletError` with code `.invalidTLSOptions` when they contradict each other.
  mutating func setVersions(_ bounds: TLSVersionBounds) throws(MartletError) {
    if bounds.minimum == .tls13, bounds.maximum == .tls12 { throw .contradictingVersions }
    minimumTLSVersion = bounds.minimum?.version ?? .tlsv12
    maximumTLSVersion = bounds.maximum?.version
  }
}

extension TLSOptions.Version {
  fileprivate var version: TLSVersion {
    switch self {
    case .tls12: .tlsv12
    case .tls13: .tlsv13
    }
  }
}

extension TLSOptions {
  /// The evaluator that decides whether a server is trusted.
  ///
  /// - Throws: `MartletError` with code `.invalidTrustRoots`.
  var trustEvaluator: any TrustEvaluating {
    get throws(MartletError) {
      if let evaluator { return evaluator }
      if acceptsAnyCertificate { return AcceptsAny() }
      return try TrustVerifier(roots)
    }
  }
}

/// Trusts every server.
private struct AcceptsAny: TrustEvaluating {
  func evaluate(_ trust: ServerTrust) async throws {}
}

/// Writes the secrets of connections to a file that Wireshark reads.
///
/// The format is that of draft-ietf-tls-keylogfile, one line per secret.
final class KeyLog: Sendable {
  private let file: OpenFile?
  /// Whether the last line may be there in part.
  private let isCut = Locked(false)

  /// - Parameter path: The file, which is created if it does not exist. Lines are appended. What cannot be written is not
  ///   logged, and no request fails.
  init(path: String) {
    file = try? OpenFile(
      URL(fileURLWithPath: path), options: [.create, .append], permissions: .ownerReadWrite)
  }

  func write(_ line: ByteBuffer) {
    isCut.withLock { isCut in
      var bytes = ByteBuffer(string: isCut ? "\n" : "")
      bytes.writeImmutableBuffer(line)
      do {
        try file?.write(bytes)
        isCut = false
      } catch {
        isCut = true
      }
    }
  }
}

import MartletCore
import NIOSSL

/// What all TLS connections of an engine have in common: roots are read, and options checked, once.
struct TLSSettings: Sendable {
  private let evaluator: any TrustEvaluating
  private let configuration: TLSConfiguration
  private let options: TLSOptions
  /// A context is dear to make, and outlives the pool of its origin, which goes with its last connection.
  private let handshakes = Locked<[Origin: TLSHandshake]>([:])

  private static let mostHandshakes = 256

  /// - Throws: `MartletError` with code `.invalidTrustRoots`, or `.invalidHostPattern` for identities of hosts
  ///   that cannot be.
  init(_ options: TLSOptions, versions: EngineConfiguration.Versions) throws(MartletError) {
    if let problem = options.identities.keys.lazy.compactMap(\.problem).first { throw problem }
    evaluator = try options.trustEvaluator
    configuration = TLSConfiguration(options, versions)
    self.options = options
  }

  /// The handshakes with one origin.
  ///
  /// - Throws: `MartletError` with code `.invalidTLSOptions`.
  func handshake(with origin: Origin) throws(MartletError) -> TLSHandshake {
    if let known = handshakes.withLock({ $0[origin] }) { return known }
    let made = try makeHandshake(with: origin)
    handshakes.withLock { handshakes in
      if handshakes.count >= Self.mostHandshakes { handshakes = [:] }
      handshakes[origin] = made
    }
    return made
  }

  private func makeHandshake(with origin: Origin) throws(MartletError) -> TLSHandshake {
    let desk = IdentityDesk(options, host: origin.host)
    let chosen = (evaluator as? any TLSVersionChoosing)?.versions(for: origin.host)
    var configuration = configuration
    try configuration.bound(chosen?.orElse(options.versions) ?? options.versions)
    configuration.sslContextCallback = { _, promise in desk.answer(promise) }
    do {
      let context = try NIOSSLContext(configuration: configuration)
      return TLSHandshake(context: context, evaluator: evaluator, desk: desk)
    } catch {
      throw .invalidTLSOptions(underlying: error)
    }
  }
}

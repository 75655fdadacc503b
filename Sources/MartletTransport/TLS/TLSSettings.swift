import MartletCore
import NIOSSL

/// What all TLS connections of an engine have in common: roots are read, and options checked, once.
struct TLSSettings: Sendable {
  let evaluator: any TrustEvaluating
  private let configuration: TLSConfiguration
  private let options: TLSOptions

  /// - Throws: `MartletError` with code `.invalidTrustRoots` or `.invalidTLSOptions`.
  init(_ options: TLSOptions, versions: EngineConfiguration.Versions) throws(MartletError) {
    evaluator = try options.trustEvaluator
    configuration = try TLSConfiguration(options, versions)
    self.options = options
  }

  /// The handshakes with one origin.
  ///
  /// - Throws: `MartletError` with code `.invalidTLSOptions`.
  func handshake(with origin: Origin) throws(MartletError) -> TLSHandshake {
    let desk = IdentityDesk(options, host: origin.host)
    var configuration = configuration
    configuration.sslContextCallback = { _, promise in desk.answer(promise) }
    do {
      let context = try NIOSSLContext(configuration: configuration)
      return TLSHandshake(context: context, evaluator: evaluator, desk: desk)
    } catch {
      throw .invalidTLSOptions(underlying: error)
    }
  }
}

import EssentialFoundation
import MartletCore
import MartletTransport
import NIOCore
import NIOSSL

/// TLS for one connection. The server's certificate is verified as that of an HTTPS server.
struct RedisTLS: Sendable {
  private let context: NIOSSLContext
  private let evaluation: TrustEvaluation
  /// The name or the address that the certificate must be for.
  private let name: String

  /// Reads the files, so that each connection uses renewed certificates; `nil` without TLS.
  ///
  /// - Throws: `RedisFailure`.
  init?(_ configuration: RedisConfiguration) async throws {
    guard let tls = configuration.tls else { return nil }
    (context, evaluation) = try await runOnGlobalExecutor { try await tls.read() }
    name = tls.serverName ?? configuration.host
  }

  /// Why the server is not trusted; `nil` if it is trusted, and before its certificate has arrived.
  var failure: RedisFailure? { evaluation.error.map { .notTrusted($0) } }

  func makeHandler() throws -> NIOSSLClientHandler {
    // RFC 6066 §3 forbids sending an address to the server.
    let isAddress = (try? SocketAddress(ipAddress: name, port: 0)) != nil
    return try NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : name) {
      [evaluation, name] certificates, promise in
      evaluation.run(on: certificates, host: name, promise)
    }
  }
}

extension RedisConfiguration.TLS {
  @concurrent
  fileprivate func read() async throws -> (NIOSSLContext, TrustEvaluation) {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv12
    // A server that does not answer the close_notify alert must not keep the socket.
    configuration.shutdownTimeout = .seconds(1)
    // The evaluation verifies everything. NIOSSL's own verification would accept a certificate for the address of the
    // server in place of its name.
    configuration.trustRoots = .certificates([])
    configuration.certificateVerification = .noHostnameVerification
    let verifier =
      if let trustRoots { try read(trustRoots) { _ in try TrustVerifier(.file(trustRoots)) } } else
      {
        try TrustVerifier(.system)
      }
    if let certificate {
      let chain = try read(certificate) { try NIOSSLCertificate.fromPEMFile($0) }
      configuration.certificateChain = chain.map { .certificate($0) }
      // With a callback, because NIOSSL otherwise prompts for the passphrase of an encrypted key on the terminal.
      configuration.privateKey = .privateKey(
        try read(key ?? certificate) {
          try NIOSSLPrivateKey(file: $0, format: .pem) { $0([UInt8]()) }
        })
    }
    do {
      return (
        try NIOSSLContext(configuration: configuration),
        TrustEvaluation(verifier, in: HandshakeTasks(countedIn: OutsideWork()))
      )
    } catch {
      throw RedisFailure(
        reason: "cannot be connected to with these TLS settings: \(error)", underlying: error)
    }
  }

  private func read<Value>(_ file: URL, _ parse: (String) throws -> Value) throws -> Value {
    do {
      return try parse(file.path)
    } catch {
      throw RedisFailure.unreadable(file, error)
    }
  }
}

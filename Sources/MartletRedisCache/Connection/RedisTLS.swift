import EssentialFoundation
import MartletCore
import NIOCore
import NIOSSL

extension RedisConfiguration.TLS {
  /// Reads the files and makes a context for one connection, so that renewed certificates are used.
  ///
  /// - Throws: `RedisFailure`.
  func makeContext() async throws -> NIOSSLContext {
    try await runOnGlobalExecutor { try await readContext() }
  }

  @concurrent
  private func readContext() async throws -> NIOSSLContext {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv12
    // A server that does not answer the close_notify alert must not keep the socket.
    configuration.shutdownTimeout = .seconds(1)
    if let trustRoots {
      configuration.trustRoots = .certificates(try Self.read(trustRoots, Self.certificates))
    }
    if let certificate {
      let chain = try Self.read(certificate, Self.certificates)
      configuration.certificateChain = chain.map { .certificate($0) }
      configuration.privateKey = .privateKey(try Self.read(key ?? certificate, Self.privateKey))
    }
    do {
      return try NIOSSLContext(configuration: configuration)
    } catch {
      throw RedisFailure(
        reason: "cannot be connected to with these TLS settings: \(error)", underlying: error)
    }
  }

  private static func read<Value>(_ file: URL, _ parse: (String) throws -> Value) throws -> Value {
    do {
      return try parse(file.path)
    } catch {
      throw RedisFailure.unreadable(file, error)
    }
  }

  private static func certificates(_ path: String) throws -> [NIOSSLCertificate] {
    try NIOSSLCertificate.fromPEMFile(path)
  }

  private static func privateKey(_ path: String) throws -> NIOSSLPrivateKey {
    // With a callback, because NIOSSL otherwise prompts for the passphrase of an encrypted key on the terminal.
    try NIOSSLPrivateKey(file: path, format: .pem) { $0([UInt8]()) }
  }
}

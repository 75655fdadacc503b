import EssentialFoundation
import MartletCore
import NIOCore
import NIOSSL

extension TLSConfiguration {
  /// What NIOSSL is told, whatever the host.
  init(_ options: TLSOptions, _ versions: EngineConfiguration.Versions) {
    self = .makeClientConfiguration()
    applicationProtocols = versions.applicationProtocols
    // A connection keeps its place in the pool until the server has answered the farewell.
    shutdownTimeout = .seconds(1)
    // The evaluator does all of the verification, so NIOSSL needs no roots of its own. Never `.none`: the
    // evaluator would not be asked then, and pins would not count.
    trustRoots = .certificates([])
    certificateVerification = .noHostnameVerification
    verifySignatureAlgorithms = Self.strongSignatures
    if let path = options.keyLogFile?.path {
      let log = KeyLog(path: path)
      keyLogCallback = { log.write($0) }
    }
  }

  /// The signatures of handshakes that prove something (RFC 9155 forbids SHA-1), of every kind of key that a server's
  /// certificate may have.
  private static let strongSignatures: [SignatureAlgorithm] = [
    .ecdsaSecp256R1Sha256, .ed25519, .rsaPssRsaeSha256, .rsaPkcs1Sha256, .ecdsaSecp384R1Sha384,
    .rsaPssRsaeSha384, .rsaPkcs1Sha384, .ecdsaSecp521R1Sha512, .rsaPssRsaeSha512, .rsaPkcs1Sha512,
  ]

  /// Sets the versions.
  ///
  /// - Throws: `MartletError` with code `.invalidTLSOptions` when they contradict each other.
  mutating func bound(_ bounds: TLSVersionBounds) throws(MartletError) {
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
  /// Who decides.
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

/// Trusts everybody.
private struct AcceptsAny: TrustEvaluating {
  func evaluate(_ trust: ServerTrust) async throws {}
}

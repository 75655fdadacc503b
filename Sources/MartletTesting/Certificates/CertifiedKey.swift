public import EssentialFoundation
package import NIOSSL
import SwiftASN1

/// A certificate with its chain and its private key, for a TLS server or client.
public struct CertifiedKey: Sendable {
  /// The certificate chain as DER: the subject's own certificate first, without the root.
  public let certificates: [[UInt8]]
  /// The private key of the first certificate as PEM (PKCS #8).
  public let privateKeyPEM: String

  /// A certificate chain and its private key.
  ///
  /// - Parameters:
  ///   - certificates: DER, the subject's own first.
  ///   - privateKeyPEM: The private key of the first certificate.
  public init(certificates: [[UInt8]], privateKeyPEM: String) {
    self.certificates = certificates
    self.privateKeyPEM = privateKeyPEM
  }

  /// The certificates as PEM, one block after another.
  public var certificatesPEM: String {
    certificates.map(Self.pem(certificate:)).joined(separator: "\n") + "\n"
  }

  /// Writes the certificates, followed by the key, to one PEM file.
  ///
  /// - Parameter url: A file URL. An existing file is replaced.
  /// - Throws: What the file system throws.
  public func writePEM(to url: URL) throws {
    try Data((certificatesPEM + privateKeyPEM + "\n").utf8).write(to: url, options: .atomic)
  }

  static func pem(certificate: [UInt8]) -> String {
    PEMDocument(type: "CERTIFICATE", derBytes: certificate).pemString
  }
}

extension CertifiedKey {
  /// The certificates in the form that NIOSSL uses.
  package func certificateSources() throws -> [NIOSSLCertificateSource] {
    try certificates.map { .certificate(try NIOSSLCertificate(bytes: $0, format: .der)) }
  }

  /// The private key in the form that NIOSSL uses.
  package func privateKeySource() throws -> NIOSSLPrivateKeySource {
    .privateKey(try NIOSSLPrivateKey(bytes: Array(privateKeyPEM.utf8), format: .pem))
  }
}

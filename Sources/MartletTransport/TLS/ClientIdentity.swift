import Crypto
public import EssentialFoundation
public import MartletCore
import NIOSSL

/// A certificate with its private key, for servers that request a client certificate (mutual TLS).
///
///     $0.tls.clientIdentities["api.example.com"] = try ClientIdentity(
///       certificateFile: folder.appending(path: "client.pem"),
///       keyFile: folder.appending(path: "client.key"), passphrase: secret)
public struct ClientIdentity: Sendable {
  let certificates: [NIOSSLCertificate]
  let key: NIOSSLPrivateKey
  /// The SHA-256 of the certificate, in hexadecimal digits.
  package let digest: String

  /// An identity from PEM files.
  ///
  /// - Parameters:
  ///   - certificateFile: The certificate, followed by those of the authorities above it.
  ///   - keyFile: The private key. The default, `nil`, reads it from `certificateFile`.
  ///   - passphrase: Decrypts the key. The default is none.
  /// - Throws: `MartletError` with code `.invalidClientIdentity` that names the part at fault.
  public init(certificateFile: URL, keyFile: URL? = nil, passphrase: String? = nil)
    throws(MartletError)
  {
    let certificates = try Self.read(certificateFile)
    try self.init(
      certificatePEM: certificates, keyPEM: try keyFile.map(Self.read) ?? certificates,
      passphrase: passphrase, certificateName: "“\(certificateFile.path.masked)”",
      keyName: "“\((keyFile ?? certificateFile).path.masked)”")
  }

  /// An identity from text in PEM form.
  ///
  /// - Parameters:
  ///   - pem: The certificate, those of the authorities above it, and the private key.
  ///   - passphrase: Decrypts the key. The default is none.
  /// - Throws: `MartletError` with code `.invalidClientIdentity` that names the part at fault.
  public init(pem: String, passphrase: String? = nil) throws(MartletError) {
    try self.init(
      certificatePEM: Data(pem.utf8), keyPEM: Data(pem.utf8), passphrase: passphrase,
      certificateName: "the text", keyName: "the text")
  }

  private init(
    certificatePEM: Data, keyPEM: Data, passphrase: String?, certificateName: String,
    keyName: String
  ) throws(MartletError) {
    let blocks = PEM.blocks(in: certificatePEM).filter { $0.label == "CERTIFICATE" }
    certificates = try Self.certificates(blocks, certificateName)
    digest = SHA256.hash(data: blocks.first?.der ?? []).hexadecimal
    key = try Self.key(keyPEM, passphrase, keyName)
    try checkThatPartsBelongTogether(certificateName, keyName)
  }

  // MARK: Reading

  private static func read(_ file: URL) throws(MartletError) -> Data {
    do {
      let data = try Data(contentsOf: file)
      guard PEM.isPEM(data) || data.first != UInt8(ascii: "0") else {
        throw MartletError.identityNotPEM(file.path.masked)
      }
      return data
    } catch {
      throw error as? MartletError ?? .identityNotReadable(file.path.masked, underlying: error)
    }
  }

  private static func certificates(_ blocks: [PEM.Block], _ name: String) throws(MartletError)
    -> [NIOSSLCertificate]
  {
    let certificates = blocks.compactMap { block in
      block.der.flatMap { try? NIOSSLCertificate(bytes: $0, format: .der) }
    }
    guard !certificates.isEmpty, certificates.count == blocks.count else {
      throw .identityWithoutCertificate(name)
    }
    return certificates
  }

  private static func key(_ pem: Data, _ passphrase: String?, _ name: String)
    throws(MartletError) -> NIOSSLPrivateKey
  {
    guard let block = PEM.blocks(in: pem).first(where: { $0.label.hasSuffix("PRIVATE KEY") })
    else { throw .identityWithoutKey(name) }
    let isEncrypted = block.isEncrypted
    if isEncrypted, passphrase == nil { throw .passphraseMissing(name) }
    let secret = Array((passphrase ?? "").utf8)
    // NIOSSL traps on bytes that are not ASCII.
    guard secret.allSatisfy({ (1..<0x80).contains($0) }) else { throw .passphraseNotASCII }
    do {
      // Always with a callback: NIOSSL documents that it otherwise prompts for the passphrase on the terminal.
      return try NIOSSLPrivateKey(bytes: Array(block.text.utf8), format: .pem) { setter in
        setter(secret)
      }
    } catch {
      throw isEncrypted
        ? .passphraseWrong(name, underlying: error) : .keyNotReadable(name, underlying: error)
    }
  }

  /// Checks that the key matches the certificate. Otherwise every handshake would fail.
  private func checkThatPartsBelongTogether(_ certificateName: String, _ keyName: String)
    throws(MartletError)
  {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.trustRoots = .certificates([])
    configuration.certificateChain = certificateSources
    configuration.privateKey = .privateKey(key)
    do {
      _ = try NIOSSLContext(configuration: configuration)
    } catch {
      throw .keyMismatch(keyName, certificateName, underlying: error)
    }
  }

  var certificateSources: [NIOSSLCertificateSource] { certificates.map { .certificate($0) } }
}

extension PEM.Block {
  /// Whether the key is encrypted, as in PKCS #8 (RFC 5958) or in the older form of RFC 1421.
  fileprivate var isEncrypted: Bool {
    label == "ENCRYPTED PRIVATE KEY" || text.contains("Proc-Type: 4,ENCRYPTED")
  }
}

/// A server's request for a client certificate (RFC 8446 §4.3.2).
public struct ClientCertificateRequest: Hashable, Sendable {
  /// The host that requests the certificate.
  public let host: String
}

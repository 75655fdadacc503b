import Foundation
import MartletCore
import SwiftASN1
import X509

/// The built-in verification: chain, dates, purpose and host name, against a set of roots.
struct CertificateTrust: TrustEvaluating {
  private let roots: CertificateStore

  /// - Throws: `MartletError` with code `.invalidTrustRoots` when the roots cannot be read.
  init(_ roots: TLSOptions.Roots) throws(MartletError) {
    self.roots =
      switch roots {
      case .system: .systemTrustRoots
      case .file(let url): CertificateStore(try Self.certificates(inFileAt: url))
      case .certificates(let ders): CertificateStore(try Self.certificates(ders))
      }
  }

  func evaluate(_ trust: ServerTrust) async throws {
    guard let chain = try? trust.certificates.map({ try Certificate(derEncoded: $0) }),
      let leaf = chain.first
    else { throw MartletError.certificateUntrusted(host: trust.host) }
    let others = CertificateStore(chain.dropFirst())

    var verifier = Verifier(rootCertificates: roots) {
      RFC5280Policy()
      ServerAuthenticationPolicy()
      ServerIdentityPolicy(trust.host)
    }
    if case .validCertificate = await verifier.validate(leaf: leaf, intermediates: others) {
      return
    }

    // The verdict is in; the rest only finds the sentence for it.
    var anybody = Verifier(rootCertificates: roots) {
      RFC5280Policy()
      ServerAuthenticationPolicy()
    }
    let result = await anybody.validate(leaf: leaf, intermediates: others)
    throw TrustDiagnosis(chain: chain, host: trust.host).error(nameless: result)
  }

  private static func certificates(inFileAt url: URL) throws(MartletError) -> [Certificate] {
    do {
      let text = try String(contentsOf: url, encoding: .utf8)
      let documents = try PEMDocument.parseMultiple(pemString: text)
      let certificates = try documents.map { try Certificate(pemDocument: $0) }
      guard !certificates.isEmpty else {
        throw MartletError.invalidTrustRoots("“\(url.path.masked)”")
      }
      return certificates
    } catch {
      throw .invalidTrustRoots("“\(url.path.masked)”", underlying: error)
    }
  }

  private static func certificates(_ ders: [[UInt8]]) throws(MartletError) -> [Certificate] {
    do {
      return try ders.map { try Certificate(derEncoded: $0) }
    } catch {
      throw .invalidTrustRoots("the certificates given", underlying: error)
    }
  }
}

extension ServerIdentityPolicy {
  /// The policy for a host that is a name or an address (RFC 9110 §4.3.4, RFC 9525).
  fileprivate init(_ host: String) {
    let isAddress = HostAddress.isAddress(host)
    self.init(serverHostname: isAddress ? nil : host, serverIP: isAddress ? host : nil)
  }
}

/// The server's certificate must be meant for servers, if it says what it is meant for
/// (RFC 5280 §4.2.1.12).
private struct ServerAuthenticationPolicy: VerifierPolicy {
  let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = [
    .X509ExtensionID.extendedKeyUsage
  ]

  mutating func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) async
    -> PolicyEvaluationResult
  {
    guard let usage = try? chain.leaf.extensions.extendedKeyUsage else { return .meetsPolicy }
    let isForServers = usage.contains(.serverAuth) || usage.contains(.any)
    return isForServers
      ? .meetsPolicy : .failsToMeetPolicy(reason: "the certificate is not meant for servers")
  }
}

import SwiftASN1
import X509

/// The certificate must be for the host, by one of its alternative names (RFC 9110 §4.3.4).
///
/// A common name is no host name any more (RFC 9525 §2). Nothing but the name is looked at here.
struct HostNamePolicy: VerifierPolicy {
  let verifyingCriticalExtensions: [ASN1ObjectIdentifier]
  private var identity: ServerIdentityPolicy

  /// Whether a certificate is for a host.
  ///
  /// - Parameters:
  ///   - leaf: The server's certificate.
  ///   - host: A name or an address.
  /// - Returns: Whether one of its alternative names is the host's.
  static func isMet(by leaf: Certificate, for host: String) async -> Bool {
    var verifier = Verifier(rootCertificates: CertificateStore([leaf])) {
      HostNamePolicy(host, understanding: leaf.extensions.map(\.oid))
    }
    let result = await verifier.validate(leaf: leaf, intermediates: CertificateStore([]))
    if case .validCertificate = result { return true }
    return false
  }

  /// - Parameters:
  ///   - host: A name or an address.
  ///   - extensions: Those of which a certificate may say that they are critical.
  init(
    _ host: String,
    understanding extensions: [ASN1ObjectIdentifier] = [.X509ExtensionID.subjectAlternativeName]
  ) {
    verifyingCriticalExtensions = extensions
    let name = ServerName(host)
    identity = ServerIdentityPolicy(serverHostname: name.dnsName, serverIP: name.address)
  }

  mutating func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) async
    -> PolicyEvaluationResult
  {
    // Where the list is empty, swift-certificates would look at the common name.
    guard let names = try? chain.leaf.extensions.subjectAlternativeNames, !names.isEmpty else {
      return .failsToMeetPolicy(reason: "the certificate has no alternative names")
    }
    return identity.chainMeetsPolicyRequirements(chain: chain)
  }
}

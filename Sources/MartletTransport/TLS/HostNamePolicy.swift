import SwiftASN1
import X509

/// The certificate must be for the host, by one of its alternative names (RFC 9110 §4.3.4).
///
/// A common name is no host name any more (RFC 9525 §2). Nothing but the name is looked at here.
struct HostNamePolicy: VerifierPolicy {
  let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = [
    .X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage,
    .X509ExtensionID.extendedKeyUsage, .X509ExtensionID.nameConstraints,
    .X509ExtensionID.subjectAlternativeName,
  ]
  private var identity: ServerIdentityPolicy

  /// - Parameter host: A name or an address.
  init(_ host: String) {
    let isAddress = HostAddress.isAddress(host)
    identity = ServerIdentityPolicy(
      serverHostname: isAddress ? nil : host, serverIP: isAddress ? host : nil)
  }

  mutating func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) async
    -> PolicyEvaluationResult
  {
    guard (try? chain.leaf.extensions.subjectAlternativeNames) != nil else {
      return .failsToMeetPolicy(reason: "the certificate has no alternative names")
    }
    return identity.chainMeetsPolicyRequirements(chain: chain)
  }
}

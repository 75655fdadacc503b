import MartletCore
import SwiftASN1
import X509

/// One of the keys of the chain must be pinned (RFC 7469 §2.6).
///
/// As a policy, so that where several chains lead to a root, one that has the key is found.
struct PinPolicy: VerifierPolicy {
  let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = []
  let pins: Set<PublicKeyPin>

  func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
    let isPinned = chain.contains { certificate in
      SubjectPublicKey(certificate)?.pin.map(pins.contains) ?? false
    }
    return isPinned ? .meetsPolicy : .failsToMeetPolicy(reason: "no key is pinned")
  }
}

import Foundation
import MartletCore
import SwiftASN1
import X509

/// The built-in verification: chain, dates, purpose and host name, against a set of roots.
struct CertificateTrust: TrustEvaluating {
  private let roots: CertificateStore
  /// The roots that were given one by one; a server may show one of them as its own.
  private let given: [Certificate]

  /// The system's roots, if they are the ones; asked for only to say why a server was refused.
  private let system: (@Sendable () -> SystemRoots)?

  /// - Throws: `MartletError` with code `.invalidTrustRoots` when the roots cannot be read.
  init(
    _ roots: TLSOptions.Roots, system: @escaping @Sendable () -> SystemRoots = { .current }
  ) throws(MartletError) {
    switch roots {
    case .system: given = []
    case .file(let url): given = try RootCertificates.read(fileAt: url)
    case .certificates(let ders): given = try RootCertificates.read(ders)
    }
    self.roots = roots == .system ? .systemTrustRoots : CertificateStore(given)
    self.system = roots == .system ? system : nil
  }

  func evaluate(_ trust: ServerTrust) async throws {
    guard let chain = try? trust.certificates.map({ try Certificate(derEncoded: $0) }),
      let leaf = chain.first
    else { throw MartletError.certificateUntrusted(host: trust.host) }

    let isKnown = await isValid(leaf, CertificateStore(chain.dropFirst()))
    let hasName = await hasName(leaf, trust.host)
    guard !isKnown || !hasName else { return }
    if !isKnown, let system = system?(), system.areMissing {
      throw MartletError.noTrustRoots(at: system.paths)
    }
    throw TrustDiagnosis(chain: chain, host: trust.host).error(isKnown: isKnown)
  }

  /// Whether chain, dates and purpose are in order.
  private func isValid(_ leaf: Certificate, _ others: CertificateStore) async -> Bool {
    // What is trusted itself needs nobody above it, and need not be an authority.
    if given.contains(leaf) { return leaf.isCurrent && ServerAuthenticationPolicy.allows(leaf) }
    var verifier = Verifier(rootCertificates: roots) {
      RFC5280Policy()
      ServerAuthenticationPolicy()
    }
    return await verifier.validate(leaf: leaf, intermediates: others).isValid
  }

  /// Whether the certificate is for the host; everything else about it has been looked at.
  private func hasName(_ leaf: Certificate, _ host: String) async -> Bool {
    var verifier = Verifier(rootCertificates: CertificateStore([leaf])) { HostNamePolicy(host) }
    return await verifier.validate(leaf: leaf, intermediates: CertificateStore([])).isValid
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
    Self.allows(chain.leaf)
      ? .meetsPolicy : .failsToMeetPolicy(reason: "the certificate is not meant for servers")
  }

  static func allows(_ leaf: Certificate) -> Bool {
    guard let usage = try? leaf.extensions.extendedKeyUsage else { return true }
    return usage.contains(.serverAuth) || usage.contains(.any)
  }
}

extension CertificateValidationResult {
  fileprivate var isValid: Bool {
    if case .validCertificate = self { true } else { false }
  }
}

extension Certificate {
  fileprivate var isCurrent: Bool {
    let now = Date()
    return notValidBefore <= now && now <= notValidAfter
  }
}

import EssentialFoundation
import MartletCore
import X509

/// The rules for a chain (RFC 5280 §6.1), except that each certificate must be signed by the next.
///
/// The first certificate is the server's own. The last is an anchor, if the chain is complete.
struct ChainRules {
  /// The purpose of a chain.
  enum Purpose: Sendable {
    /// A TLS server.
    case server
    /// Any purpose.
    case any
  }

  let purpose: Purpose
  /// The name of the requested host, which name constraints must allow, too; `nil` skips this check.
  let host: DNSName?
  let now: Date

  /// The first rule that a chain breaks.
  ///
  /// - Throws: When the budget is spent, or the task is cancelled.
  func problem(in chain: [ParsedCertificate], _ budget: inout VerificationBudget)
    throws(VerificationStop) -> TrustProblem?
  {
    if let problem = dateProblem(in: chain) { return problem }
    if let problem = try issuanceProblem(in: chain, &budget) { return problem }
    return try policyProblem(in: chain, &budget)
  }

  /// The first problem with the issuance of a certificate in the chain, whatever the date.
  ///
  /// - Throws: When the budget is spent, or the task is cancelled.
  func issuanceProblem(in chain: [ParsedCertificate], _ budget: inout VerificationBudget)
    throws(VerificationStop) -> TrustProblem?
  {
    let problem = formProblem(in: chain) ?? authorityProblem(in: chain) ?? usageProblem(in: chain)
    if let problem { return problem }
    return try nameProblem(in: chain, &budget)
  }

  // MARK: Each certificate by itself

  /// The problem of a certificate that has expired or is not valid yet.
  func dateProblem(in chain: [ParsedCertificate]) -> TrustProblem? {
    chain.firstProblem { _, certificate in
      let (start, end) = (
        certificate.certificate.notValidBefore, certificate.certificate.notValidAfter
      )
      if end < now { return .expired(on: end.day) }
      return start > now ? .notYetValid(until: start.day) : nil
    }
  }

  /// The problem of a certificate that is malformed, or has an unknown critical extension.
  func formProblem(in chain: [ParsedCertificate]) -> TrustProblem? {
    chain.firstProblem { _, certificate in
      let extensions = certificate.extensions
      if let unknown = extensions.unknown { return .unknownExtension("\(unknown)") }
      // RFC 5280 §4.1.2.1.
      let mayHaveNone = certificate.isVersion3 || extensions.isEmpty
      return extensions.isMalformed || !mayHaveNone ? .malformed : nil
    }
  }

  /// The problem of a signature that proves nothing, or of a key that is for another use.
  private func usageProblem(in chain: [ParsedCertificate]) -> TrustProblem? {
    chain.firstProblem { position, certificate in
      // The signature of the last certificate, usually a root, is not checked.
      let weakness = position == chain.count - 1 ? nil : certificate.signature.problem
      return weakness ?? usageProblem(of: certificate.extensions, isIssuer: position > 0)
    }
  }

  private func usageProblem(of extensions: CertificateExtensions, isIssuer: Bool)
    -> TrustProblem.Kind?
  {
    if isIssuer, extensions.keyUsage?.keyCertSign == false { return .keyUsageForbidsSigning }
    guard purpose == .server else { return nil }
    if !isIssuer, extensions.keyUsage?.suitsServers == false { return .wrongKeyUsage }
    // As in browsers, an authority with an extended key usage may issue for this usage only. That includes roots.
    guard let purposes = extensions.purposes else { return nil }
    return purposes.contains(.serverAuth) || purposes.contains(.any) ? nil : .notForServers
  }

  // MARK: Certificates and their issuers

  /// The problem of an issuer that is not an authority, or has too many authorities below it
  /// (RFC 5280 §6.1.4 (k) to (m)).
  private func authorityProblem(in chain: [ParsedCertificate]) -> TrustProblem? {
    var below = 0
    for (position, issuer) in chain.enumerated().dropFirst() {
      switch issuer.extensions.basicConstraints {
      case .isCertificateAuthority(let limit?) where limit < below:
        return TrustProblem(.pathLengthExceeded(allowed: limit), subject: issuer.subjectName)
      case .isCertificateAuthority: break
      case .notCertificateAuthority, nil:
        // Old roots lack the extension. RFC 5280 §6.1.4 (k) requires other means to trust them: they are among the
        // roots.
        let isOldRoot = position == chain.count - 1 && !issuer.isVersion3 && issuer.isSelfIssued
        guard isOldRoot else {
          return TrustProblem(.notCertificateAuthority, subject: issuer.subjectName)
        }
      }
      if !issuer.isSelfIssued { below += 1 }
    }
    return nil
  }

  /// The problem of a name for which an authority above may not issue certificates (RFC 5280 §6.1.3 (b) and (c)).
  ///
  /// The name `*.example.com` counts as not being in the subtree `www.example.com`, although it matches that host. So
  /// the host of the request is checked as well.
  private func nameProblem(in chain: [ParsedCertificate], _ budget: inout VerificationBudget)
    throws(VerificationStop) -> TrustProblem?
  {
    for (above, issuer) in chain.enumerated() {
      guard let subtrees = issuer.extensions.subtrees else { continue }
      for (position, certificate) in chain.prefix(above).enumerated() {
        guard position == 0 || !certificate.isSelfIssued else { continue }
        var names = certificate.names
        if position == 0, let host { names.domains.append(host) }
        guard try subtrees.allow(names, &budget) else {
          return TrustProblem(
            .nameNotPermitted, subject: position == 0 ? nil : certificate.subjectName)
        }
      }
    }
    return nil
  }

  /// The problem of a missing policy. The policies of an anchor do not count (RFC 5280 §6.1.1).
  private func policyProblem(in chain: [ParsedCertificate], _ budget: inout VerificationBudget)
    throws(VerificationStop) -> TrustProblem?
  {
    let path = chain.dropLast().reversed().map { ($0.extensions.policies, $0.isSelfIssued) }
    try budget.count(comparisons: path.reduce(0) { $0 + $1.0.count })
    return PolicyValidation.isAllowed(path) ? nil : TrustProblem(.noAllowedPolicy)
  }
}

extension [ParsedCertificate] {
  /// The first problem, with the subject of the certificate unless it is the server's.
  fileprivate func firstProblem(_ kind: (Int, ParsedCertificate) -> TrustProblem.Kind?)
    -> TrustProblem?
  {
    for (position, certificate) in enumerated() {
      guard let kind = kind(position, certificate) else { continue }
      return TrustProblem(kind, subject: position == 0 ? nil : certificate.subjectName)
    }
    return nil
  }
}

extension ParsedCertificate {
  fileprivate var isVersion3: Bool { certificate.version == .v3 }
}

extension KeyUsage {
  /// Whether the key may sign handshakes, or encrypt or agree on keys as in TLS 1.2 and before (RFC 5246 §7.4.2).
  fileprivate var suitsServers: Bool { digitalSignature || keyEncipherment || keyAgreement }
}

extension Date {
  fileprivate var day: String { formatted(.iso8601.year().month().day()) }
}

import Foundation
import MartletCore
import SwiftASN1
import X509

/// What swift-certificates does not ask of a chain, and in which words its own rules are told.
///
/// The first certificate is the server's own, the last one a root.
enum ChainRules {
  /// What a chain is for.
  enum Purpose: Sendable {
    /// To be a TLS server.
    case server
    /// Anything at all.
    case any
  }

  /// The extensions that are understood when they are critical.
  static let understood: [ASN1ObjectIdentifier] = [
    .X509ExtensionID.basicConstraints, .X509ExtensionID.nameConstraints,
    .X509ExtensionID.keyUsage, .X509ExtensionID.extendedKeyUsage,
    .X509ExtensionID.subjectAlternativeName,
  ]

  // MARK: Ours

  /// The first of our own rules that a chain breaks.
  static func problem(in chain: [Certificate], for purpose: Purpose) -> TrustProblem? {
    for (position, certificate) in chain.enumerated() {
      let kind =
        signature(of: certificate, isSigned: position < chain.count - 1)
        ?? usage(
          of: certificate, isIssuer: position > 0, isRoot: position == chain.count - 1, purpose)
      if let kind { return TrustProblem(kind, holder: position == 0 ? nil : certificate.holder) }
    }
    return nil
  }

  /// Nobody relies on the signature under a root.
  private static func signature(of certificate: Certificate, isSigned: Bool) -> TrustProblem.Kind? {
    guard isSigned, !strongAlgorithms.contains(certificate.signatureAlgorithm) else { return nil }
    let isSHA1 = certificate.signatureAlgorithm == .sha1WithRSAEncryption
    return .weakSignature(isSHA1 ? "SHA-1" : "an unknown algorithm")
  }

  private static let strongAlgorithms: Set<Certificate.SignatureAlgorithm> = [
    .ecdsaWithSHA256, .ecdsaWithSHA384, .ecdsaWithSHA512, .sha256WithRSAEncryption,
    .sha384WithRSAEncryption, .sha512WithRSAEncryption, .ed25519,
  ]

  private static func usage(
    of certificate: Certificate, isIssuer: Bool, isRoot: Bool, _ purpose: Purpose
  ) -> TrustProblem.Kind? {
    do {
      let usage = try certificate.extensions.keyUsage
      if isIssuer, usage?.keyCertSign == false { return .mayNotSign }
      guard purpose == .server else { return nil }
      if !isIssuer, let usage, !usage.suitsServers { return .wrongKeyUsage }
      // An authority that says what it is for issues nothing else, as browsers have it.
      guard !isRoot || !isIssuer, let purposes = try certificate.extensions.extendedKeyUsage else {
        return nil
      }
      return purposes.contains(.serverAuth) || purposes.contains(.any) ? nil : .notForServers
    } catch {
      return .malformed
    }
  }

  // MARK: Those of swift-certificates

  /// Which rule of RFC 5280 §6 a chain breaks that swift-certificates refused.
  static func brokenRule(in chain: [Certificate], at now: Date = Date()) -> TrustProblem? {
    if let problem = date(in: chain, at: now) ?? authority(in: chain) { return problem }
    let isConstrained = chain.contains {
      $0.extensions[oid: .X509ExtensionID.nameConstraints] != nil
    }
    return isConstrained ? TrustProblem(.nameNotPermitted) : nil
  }

  /// A certificate whose time is over or has not come.
  static func date(in chain: [Certificate], at now: Date = Date()) -> TrustProblem? {
    for (position, certificate) in chain.enumerated() {
      let holder = position == 0 ? nil : certificate.holder
      if certificate.notValidAfter < now {
        return TrustProblem(.expired(on: certificate.notValidAfter.day), holder: holder)
      }
      if certificate.notValidBefore > now {
        return TrustProblem(.notYetValid(until: certificate.notValidBefore.day), holder: holder)
      }
    }
    return nil
  }

  /// A certificate that has issued what it may not, or more than it may.
  private static func authority(in chain: [Certificate]) -> TrustProblem? {
    var below = 0
    for certificate in chain.dropFirst() {
      switch try? certificate.extensions.basicConstraints {
      case .isCertificateAuthority(let limit?) where limit < below:
        return TrustProblem(.tooManyBelow(allowed: limit), holder: certificate.holder)
      case .isCertificateAuthority: break
      case .notCertificateAuthority, nil:
        if certificate.version != .v1 {
          return TrustProblem(.noAuthority, holder: certificate.holder)
        }
      }
      if certificate.issuer != certificate.subject { below += 1 }
    }
    return nil
  }

  /// A critical extension that nobody understands.
  static func unknownExtension(in chain: [Certificate]) -> TrustProblem? {
    for (position, certificate) in chain.enumerated() {
      let unknown = certificate.extensions.first { $0.critical && !understood.contains($0.oid) }
      guard let unknown else { continue }
      return TrustProblem(
        .unknownExtension("\(unknown.oid)"), holder: position == 0 ? nil : certificate.holder)
    }
    return nil
  }
}

extension KeyUsage {
  /// To sign handshakes, or to agree on keys in the way of TLS 1.2 and before (RFC 5246 §7.4.2).
  fileprivate var suitsServers: Bool { digitalSignature || keyEncipherment || keyAgreement }
}

extension Certificate {
  /// Whose it is, in a word.
  var holder: String { subject.commonName }
}

extension DistinguishedName {
  /// The last common name, or all of the name where there is none.
  var commonName: String {
    for relative in reversed() {
      for attribute in relative where attribute.type == .RDNAttributeType.commonName {
        if let name = String(attribute.value) { return name.masked }
      }
    }
    return "\(self)".masked
  }
}

extension Date {
  fileprivate var day: String { formatted(.iso8601.year().month().day()) }
}

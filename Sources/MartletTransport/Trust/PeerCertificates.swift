import MartletCore
import X509

/// The certificates that a server sent, read.
struct PeerCertificates: Sendable {
  /// The server's own.
  let leaf: Certificate
  /// The others that can be read, in the order in which they came. Servers send too few, too many, and in
  /// any order (RFC 8446 §4.4.2).
  let others: [Certificate]
  /// Whether there are some that cannot be read.
  let hasUnreadable: Bool

  /// More than this no server needs, and looking for a way through them would take long.
  private static let mostCertificates = 16
  /// The most with the same name and key: one for each authority that has signed it, and an old one.
  private static let mostAlike = 3

  init(_ ders: [[UInt8]]) throws(PeerCertificatesProblem) {
    guard let first = ders.first else { throw PeerCertificatesProblem(.missing) }
    guard ders.count <= Self.mostCertificates else {
      throw PeerCertificatesProblem(.tooMany(ders.count))
    }
    guard let leaf = ParsedCertificate(first)?.certificate else {
      throw PeerCertificatesProblem(Self.reasonUnreadable(first))
    }
    self.leaf = leaf
    let others = ders.dropFirst().compactMap { ParsedCertificate($0)?.certificate }
    hasUnreadable = others.count < ders.count - 1
    self.others = Self.withoutTooManyAlike(others)
  }

  /// Certificates that sign each other in circles would make the ways through them countless
  /// (RFC 4158 §2.4.1).
  private static func withoutTooManyAlike(_ certificates: [Certificate]) -> [Certificate] {
    guard certificates.count > mostAlike else { return certificates }
    var counts: [Holder: Int] = [:]
    return certificates.filter { certificate in
      let holder = Holder(name: certificate.subject, key: certificate.publicKey)
      counts[holder, default: 0] += 1
      return counts[holder, default: 0] <= mostAlike
    }
  }

  private struct Holder: Hashable {
    var name: DistinguishedName
    var key: Certificate.PublicKey
  }

  /// A short RSA key is one thing that makes a certificate unreadable to swift-certificates.
  private static func reasonUnreadable(_ der: [UInt8]) -> TrustProblem.Kind {
    guard let bits = SubjectPublicKey(certificate: der)?.rsaBits, bits < 2048 else {
      return .unreadable
    }
    return .weakKey("an RSA key of \(bits) bits")
  }
}

/// Why what a server sent is not even looked at.
struct PeerCertificatesProblem: Error {
  let kind: TrustProblem.Kind

  init(_ kind: TrustProblem.Kind) {
    self.kind = kind
  }
}

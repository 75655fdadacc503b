import MartletCore
import X509

/// The certificates that a server sent, read.
struct PeerCertificates: Sendable {
  /// The server's own.
  let own: ParsedCertificate
  /// The others that can be read, in the order in which they came. Servers send too few, too many, and in
  /// any order (RFC 8446 §4.4.2).
  let others: [Certificate]
  /// What is wrong with the first of them that cannot be read.
  let unreadable: TrustProblem?

  /// More than this no server needs, and looking for a way through them would take long.
  private static let mostCertificates = 16
  /// The most with the same name and key: one for each authority that has signed it, and an old one.
  private static let mostAlike = 3

  init(_ ders: [[UInt8]]) throws(PeerCertificatesProblem) {
    guard let first = ders.first else { throw PeerCertificatesProblem(.missing) }
    guard ders.count <= Self.mostCertificates else {
      throw PeerCertificatesProblem(.tooMany(ders.count))
    }
    guard let own = ParsedCertificate(first) else {
      throw PeerCertificatesProblem(Self.weakKey(first) ?? .unreadable)
    }
    self.own = own
    var others: [Certificate] = []
    var unreadable: TrustProblem?
    for der in ders.dropFirst() {
      if let other = ParsedCertificate(der) {
        others.append(other.certificate)
      } else {
        unreadable = unreadable ?? Self.problem(above: der)
      }
    }
    self.unreadable = unreadable
    self.others = Self.withoutTooManyAlike(others)
  }

  /// The server's own.
  var leaf: Certificate { own.certificate }

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

  private static func problem(above der: [UInt8]) -> TrustProblem {
    guard let kind = weakKey(der), let holder = SubjectPublicKey(certificate: der)?.holder else {
      return TrustProblem(.unreadableAbove)
    }
    return TrustProblem(kind, holder: holder.commonName)
  }

  /// A short RSA key is one thing that makes a certificate unreadable to swift-certificates.
  private static func weakKey(_ der: [UInt8]) -> TrustProblem.Kind? {
    guard let bits = SubjectPublicKey(certificate: der)?.rsaBits, bits < 2048 else { return nil }
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

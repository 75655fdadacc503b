import MartletCore

/// The certificates that a server sent, read.
struct PeerCertificates: Sendable {
  /// The server's own.
  let leaf: ParsedCertificate
  /// The others that can be read, in the order in which they came. Servers send too few, too many, and in
  /// any order (RFC 8446 §4.4.2).
  let others: [ParsedCertificate]
  /// What is wrong with the first of them that cannot be read.
  let unreadable: TrustProblem?

  /// More than this no server needs.
  private static let maximumCertificates = 16

  init(_ ders: [[UInt8]]) throws(PeerCertificatesProblem) {
    guard let first = ders.first else { throw PeerCertificatesProblem(.noCertificate) }
    guard ders.count <= Self.maximumCertificates else {
      throw PeerCertificatesProblem(.tooManyCertificates(ders.count))
    }
    guard let leaf = ParsedCertificate(first) else {
      throw PeerCertificatesProblem(SubjectPublicKey(certificate: first)?.problem ?? .unreadable)
    }
    self.leaf = leaf
    var others: [ParsedCertificate] = []
    var unreadable: TrustProblem?
    for der in ders.dropFirst() {
      if let other = ParsedCertificate(der) {
        others.append(other)
      } else {
        unreadable = unreadable ?? Self.problem(above: der)
      }
    }
    self.unreadable = unreadable
    self.others = others
  }

  private static func problem(above der: [UInt8]) -> TrustProblem {
    guard let key = SubjectPublicKey(certificate: der), let kind = key.problem,
      let subject = key.subject
    else { return TrustProblem(.unreadableIntermediate) }
    return TrustProblem(kind, subject: subject.commonName)
  }
}

/// Why what a server sent is not even looked at.
struct PeerCertificatesProblem: Error {
  let kind: TrustProblem.Kind

  init(_ kind: TrustProblem.Kind) {
    self.kind = kind
  }
}

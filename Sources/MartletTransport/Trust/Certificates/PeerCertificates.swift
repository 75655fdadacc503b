import MartletCore

/// The parsed certificates that a server sent.
struct PeerCertificates: Sendable {
  /// The server's own certificate.
  let leaf: ParsedCertificate
  /// The other certificates that can be read, in the order in which they were sent. Servers send too few, too many,
  /// and in any order (RFC 8446 §4.4.2).
  let others: [ParsedCertificate]
  /// The problem of the first other certificate that cannot be read.
  let unreadable: TrustProblem?

  /// No server needs more than this.
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

/// The reason why the certificates of a server are rejected before they are verified.
struct PeerCertificatesProblem: Error {
  let kind: TrustProblem.Kind

  init(_ kind: TrustProblem.Kind) {
    self.kind = kind
  }
}

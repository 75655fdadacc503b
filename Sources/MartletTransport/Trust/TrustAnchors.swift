import MartletCore
import X509

/// The certificates at which trust begins.
///
/// A class, so that the same ones are known by their identity: there may be hundreds.
final class TrustAnchors: Sendable {
  private let all: [ParsedCertificate]
  private let bySubject: [DistinguishedName: [ParsedCertificate]]
  /// Where there should have been some of the system's, if there are none.
  let missingPaths: [String]

  init(_ certificates: [ParsedCertificate], missingPaths: [String] = []) {
    all = certificates
    bySubject = Dictionary(grouping: certificates, by: \.subject)
    self.missingPaths = missingPaths
  }

  /// The system's own and these.
  convenience init(adding certificates: [ParsedCertificate], to system: TrustAnchors) {
    self.init(system.all + certificates)
  }

  func contain(_ certificate: ParsedCertificate) -> Bool {
    named(certificate.subject).contains(certificate)
  }

  /// Those that bear a name.
  func named(_ name: DistinguishedName) -> [ParsedCertificate] { bySubject[name] ?? [] }
}

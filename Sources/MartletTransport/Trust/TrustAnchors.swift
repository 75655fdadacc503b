import MartletCore
import X509

/// The certificates at which trust begins.
///
/// A class, so that the same ones are known by their identity: there may be hundreds.
final class TrustAnchors: Sendable {
  let store: CertificateStore
  private let all: [Certificate]
  private let bySubject: [DistinguishedName: [Certificate]]
  /// Those that were given one by one, as DER; a server may show one of them as its own.
  private let given: Set<[UInt8]>
  /// Where there should have been some of the system's, if there are none.
  let missingPaths: [String]

  private init(_ all: [Certificate], given: [ParsedCertificate], missingPaths: [String]) {
    self.all = all
    store = CertificateStore(all)
    bySubject = Dictionary(grouping: all, by: \.subject)
    self.given = Set(given.map(\.der))
    self.missingPaths = missingPaths
  }

  /// These, and no others.
  convenience init(_ certificates: [ParsedCertificate]) {
    self.init(certificates.map(\.certificate), given: certificates, missingPaths: [])
  }

  /// The system's own.
  convenience init(system certificates: [Certificate], missingPaths: [String]) {
    self.init(certificates, given: [], missingPaths: missingPaths)
  }

  /// The system's own and these.
  convenience init(adding certificates: [ParsedCertificate], to system: TrustAnchors) {
    let all = system.all + certificates.map(\.certificate)
    self.init(all, given: certificates, missingPaths: [])
  }

  func contains(given certificate: ParsedCertificate) -> Bool { given.contains(certificate.der) }

  /// Those that bear a name.
  func named(_ name: DistinguishedName) -> [Certificate] { bySubject[name] ?? [] }
}

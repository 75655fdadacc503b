import MartletCore
import X509

/// The certificates at which trust begins.
struct TrustAnchors: Sendable {
  let store: CertificateStore
  private let bySubject: [DistinguishedName: [Certificate]]
  /// Those that were given one by one; a server may show one of them as its own.
  private let given: Set<Certificate>
  /// Where there should have been some of the system's, if there are none.
  let missingPaths: [String]

  /// These, and no others.
  init(_ certificates: [Certificate]) {
    store = CertificateStore(certificates)
    bySubject = Dictionary(grouping: certificates, by: \.subject)
    given = Set(certificates)
    missingPaths = []
  }

  /// The system's own.
  init(system certificates: [Certificate], missingPaths: [String]) {
    store = CertificateStore(certificates)
    bySubject = Dictionary(grouping: certificates, by: \.subject)
    given = []
    self.missingPaths = missingPaths
  }

  /// The system's own and these.
  init(adding certificates: [Certificate], to system: TrustAnchors) {
    store = system.store.appending(contentsOf: certificates)
    let added = Dictionary(grouping: certificates, by: \.subject)
    bySubject = system.bySubject.merging(added) { $0 + $1 }
    given = Set(certificates)
    missingPaths = []
  }

  func contains(given certificate: Certificate) -> Bool { given.contains(certificate) }

  /// Those that bear a name.
  func named(_ name: DistinguishedName) -> [Certificate] { bySubject[name] ?? [] }
}

/// Where the certificates at which trust begins come from.
struct TrustSource: Sendable {
  private let given: [Certificate]
  /// All of them, where they do not depend on the system.
  private let fixed: TrustAnchors?
  private let system: SystemRoots

  /// - Throws: `MartletError` with code `.invalidTrustRoots` when roots that are given cannot be read.
  init(_ roots: TLSOptions.Roots, system: SystemRoots = .shared) throws(MartletError) {
    self.system = system
    switch roots {
    case .system: given = []
    case .systemAnd(let ders): given = try Self.read(ders)
    case .file(let url): given = try Self.read(CertificateFile.certificates(at: url))
    case .certificates(let ders): given = try Self.read(ders)
    }
    fixed = roots.includesSystem ? nil : TrustAnchors(given)
  }

  /// The certificates as they are now; those of the system may have changed.
  var anchors: TrustAnchors {
    if let fixed { return fixed }
    return given.isEmpty ? system.current : TrustAnchors(adding: given, to: system.current)
  }

  private static func read(_ ders: [[UInt8]]) throws(MartletError) -> [Certificate] {
    let certificates = ders.compactMap { ParsedCertificate($0)?.certificate }
    guard !certificates.isEmpty else { throw .invalidTrustRoots("the certificates given") }
    return certificates
  }
}

extension TLSOptions.Roots {
  fileprivate var includesSystem: Bool {
    switch self {
    case .system, .systemAnd: true
    case .file, .certificates: false
    }
  }
}

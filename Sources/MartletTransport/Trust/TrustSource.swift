import MartletCore

/// Where the certificates at which trust begins come from.
struct TrustSource: Sendable {
  private let given: [ParsedCertificate]
  /// All of them, where they do not depend on the system.
  private let fixed: TrustAnchors?
  private let system: SystemRoots
  /// Those of the system with those given, for as long as the former stay the same.
  private let joined = Locked<(system: TrustAnchors, all: TrustAnchors)?>(nil)

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
    let system = system.current
    guard !given.isEmpty else { return system }
    return joined.withLock { joined in
      if let joined, joined.system === system { return joined.all }
      let all = TrustAnchors(adding: given, to: system)
      joined = (system, all)
      return all
    }
  }

  private static func read(_ ders: [[UInt8]]) throws(MartletError) -> [ParsedCertificate] {
    guard !ders.isEmpty else { throw .invalidTrustRoots("the certificates given") }
    var certificates: [ParsedCertificate] = []
    for der in ders {
      guard let certificate = ParsedCertificate(der) else {
        throw .unreadableRoot(number: certificates.count + 1)
      }
      certificates.append(certificate)
    }
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

import EssentialFoundation
import MartletCore
import SystemPackage
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
    case .file(let url): given = try Self.read(CertificateReader.certificates(at: url))
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

/// The operating system's own certificates at which trust begins: read once, and again when their file has
/// changed.
final class SystemRoots: Sendable {
  /// Which file it was, and in which state.
  private struct Version: Equatable {
    let path: String
    private var status: Stat

    /// `nil` when there is no such file.
    init?(path: String) {
      guard var status = try? Stat(path) else { return nil }
      // Reading it is no change.
      status.st_atim = status.st_mtim
      (self.path, self.status) = (path, status)
    }
  }

  /// Those of this system. Debian's, Fedora's, and Alpine's and macOS's file.
  static let shared = SystemRoots(paths: [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
  ])

  private let paths: [String]
  private let cache = Locked<(version: Version?, anchors: TrustAnchors)?>(nil)

  /// - Parameter paths: Where they are looked for, in order; the first file that is there counts.
  init(paths: [String]) {
    self.paths = paths
  }

  /// The certificates as they are now.
  ///
  /// The first call reads and parses the file, which takes some milliseconds; all others ask whether it has
  /// changed. As long as it has not, they return the same object.
  var current: TrustAnchors {
    let version = version
    return cache.withLock { cache in
      if let cache, cache.version == version { return cache.anchors }
      let anchors = load(version)
      cache = (version, anchors)
      return anchors
    }
  }

  private var version: Version? {
    paths.lazy.compactMap { Version(path: $0) }.first
  }

  private func load(_ version: Version?) -> TrustAnchors {
    guard let version, let data = try? Data(contentsOf: URL(fileURLWithPath: version.path)) else {
      return TrustAnchors([], missingPaths: paths)
    }
    let certificates = CertificateReader.readable(in: data)
    return TrustAnchors(certificates, missingPaths: certificates.isEmpty ? paths : [])
  }
}

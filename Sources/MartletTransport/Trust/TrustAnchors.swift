import EssentialFoundation
import MartletCore
import SystemPackage
import X509

/// The trust anchors: the root certificates at which chains end.
///
/// A class, so that anchors can be compared by identity: there may be hundreds.
final class TrustAnchors: Sendable {
  private let all: [ParsedCertificate]
  private let bySubject: [DistinguishedName: [ParsedCertificate]]
  /// The paths at which the system's certificates were expected, if there are none.
  let missingPaths: [String]

  init(_ certificates: [ParsedCertificate], missingPaths: [String] = []) {
    all = certificates
    bySubject = Dictionary(grouping: certificates, by: \.subject)
    self.missingPaths = missingPaths
  }

  /// The anchors of the system and these.
  convenience init(adding certificates: [ParsedCertificate], to system: TrustAnchors) {
    self.init(system.all + certificates)
  }

  func contain(_ certificate: ParsedCertificate) -> Bool {
    named(certificate.subject).contains(certificate)
  }

  /// The anchors whose subject is `name`.
  func named(_ name: DistinguishedName) -> [ParsedCertificate] { bySubject[name] ?? [] }
}

/// The source of trust anchors.
struct TrustSource: Sendable {
  private let given: [ParsedCertificate]
  /// All anchors, if they do not depend on the system.
  private let fixed: TrustAnchors?
  private let system: SystemRoots
  /// The anchors of the system and the given ones, as long as those of the system do not change.
  private let joined = Locked<(system: TrustAnchors, all: TrustAnchors)?>(nil)

  /// - Throws: `MartletError` with code `.invalidTrustRoots` when given roots cannot be read, or none are given.
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

  /// The current anchors; those of the system may have changed.
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

/// The trust anchors of the operating system, which are read once, and again when their file has changed.
final class SystemRoots: Sendable {
  /// The file, and its state when it was read.
  private struct Version: Equatable {
    let path: String
    private var status: Stat

    /// `nil` when there is no such file.
    init?(path: String) {
      guard var status = try? Stat(path) else { return nil }
      // Reading the file is not a change.
      status.st_atim = status.st_mtim
      (self.path, self.status) = (path, status)
    }
  }

  /// The anchors of this system, from the file of Debian, of Fedora, or of Alpine and macOS.
  static let shared = SystemRoots(paths: [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
  ])

  private let paths: [String]
  private let cache = Locked<(version: Version?, anchors: TrustAnchors)?>(nil)

  /// - Parameter paths: The files to look for, in order; the first that exists counts.
  init(paths: [String]) {
    self.paths = paths
  }

  /// The current anchors.
  ///
  /// The first call reads and parses the file, which takes some milliseconds. All others check whether it has
  /// changed, and return the same object as long as it has not.
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

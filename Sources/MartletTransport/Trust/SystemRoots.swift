import EssentialFoundation
import MartletCore
import SystemPackage

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
    let certificates = CertificateFile.readable(in: data)
    return TrustAnchors(certificates, missingPaths: certificates.isEmpty ? paths : [])
  }
}

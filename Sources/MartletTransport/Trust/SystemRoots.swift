import Foundation
import MartletCore
import X509

/// The operating system's own certificates at which trust begins: read once, and again when their file has
/// changed.
final class SystemRoots: Sendable {
  /// Which file it was, and in which state.
  private struct Version: Equatable {
    var path: String
    var changed: Date?
    var size: Int?
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
  /// The first call reads and parses the file, which takes some milliseconds; all others ask for its date.
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
    for path in paths {
      guard let values = try? FileManager.default.attributesOfItem(atPath: path.resolvingLinks)
      else { continue }
      return Version(
        path: path, changed: values[.modificationDate] as? Date, size: values[.size] as? Int)
    }
    return nil
  }

  private func load(_ version: Version?) -> TrustAnchors {
    guard let version, let data = try? Data(contentsOf: URL(fileURLWithPath: version.path)) else {
      return TrustAnchors(system: [], missingPaths: paths)
    }
    let certificates = CertificateFile.readable(in: data).map(\.certificate)
    return TrustAnchors(system: certificates, missingPaths: certificates.isEmpty ? paths : [])
  }
}

extension String {
  fileprivate var resolvingLinks: String {
    URL(fileURLWithPath: self).resolvingSymlinksInPath().path
  }
}

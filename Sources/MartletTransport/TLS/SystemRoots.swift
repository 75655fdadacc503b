import Foundation

/// Where the operating system keeps the certificates at which trust begins.
struct SystemRoots: Sendable {
  /// Where they are looked for, in order; the first file that can be read counts.
  let paths: [String]
  /// Whether there are none.
  let areMissing: Bool

  /// Those of this system, looked at once; the paths are those of swift-certificates, which reads them.
  static let current = SystemRoots(paths: [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
  ])

  init(paths: [String]) {
    self.paths = paths
    let data = paths.lazy.compactMap { try? Data(contentsOf: URL(fileURLWithPath: $0)) }.first
    let certificates = try? data.map { try RootCertificates.parse($0) }
    areMissing = certificates?.isEmpty ?? true
  }
}

import MartletCore
import MartletTesting
import MartletTransport

extension TemporaryAuthority {
  /// The verdict on what a server sent, where this authority's root is the only one.
  func verdict(on certificates: [[UInt8]], for host: String = "example.com") throws -> ServerTrust {
    let trust = ServerTrust(certificates: certificates, host: host)
    return try TrustVerifier(.certificates([root])).verify(trust, host: host)
  }

  /// The verdict on a server's certificate.
  func verdict(on leaf: CertifiedKey, for host: String = "example.com") throws -> ServerTrust {
    try verdict(on: leaf.certificates, for: host)
  }
}

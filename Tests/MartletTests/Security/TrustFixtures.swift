import Foundation
import MartletCore
import MartletTesting

/// The chains of the specification's §7.4, made afresh: those that AFNetworking recorded have expired.
struct TrustFixtures: Sendable {
  /// The roots that count as the system's.
  let roots: [[UInt8]]
  /// Leaf, two intermediates and the root, for `httpbin.org`: “P”.
  let httpbin: [Data]
  /// Leaf, intermediate and the root, for `app.net`: “A”.
  let app: [Data]
  /// Self-signed, without a name; for `foobar.com` by its common name; the same by an alternative name.
  let noDomains: Data
  let commonName: Data
  let alternativeName: Data

  init() throws {
    let authority = try TemporaryAuthority(commonName: "Starfield")
    let amazon = try authority.intermediate(commonName: "Amazon Root")
      .intermediate(commonName: "Amazon Server")
    let other = try TemporaryAuthority(commonName: "DigiCert")
    httpbin = (try amazon.leaf(for: ["httpbin.org"]).certificates + [authority.root]).map {
      Data($0)
    }
    let geoTrust = try other.intermediate(commonName: "GeoTrust")
    app = (try geoTrust.leaf(for: ["app.net"]).certificates + [other.root]).map { Data($0) }
    roots = [authority.root, other.root]
    noDomains = try Self.selfSigned("nobody")
    commonName = try Self.selfSigned("foobar.com")
    alternativeName = try Self.selfSigned("somebody", ["foobar.com"])
  }

  private static func selfSigned(_ name: String, _ names: [String] = []) throws -> Data {
    Data(
      try TemporaryAuthority.selfSigned(commonName: name, names: names).certificates[0])
  }
}

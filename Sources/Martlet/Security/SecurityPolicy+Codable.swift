import Foundation
import MartletCore
import MartletTransport

/// Two are equal when they say the same; closures are not compared.
extension SecurityPolicy: Equatable {
  /// Whether two policies say the same, closures aside.
  public static func == (left: SecurityPolicy, right: SecurityPolicy) -> Bool {
    left.pinningMode == right.pinningMode && left.pinnedCertificates == right.pinnedCertificates
      && left.pins == right.pins
      && left.allowInvalidCertificates == right.allowInvalidCertificates
      && left.validatesDomainName == right.validatesDomainName && left.roots == right.roots
      && left.minimumVersion == right.minimumVersion
      && left.maximumVersion == right.maximumVersion
      && left.hosts == right.hosts && left.isReportOnly == right.isReportOnly
  }
}

/// Archived with everything but its closures (SEC-20).
extension SecurityPolicy: Codable {
  private enum Key: String, CodingKey {
    case pinningMode, pinnedCertificates, pins, allowInvalidCertificates, validatesDomainName
    case roots, minimumVersion, maximumVersion, hosts, isReportOnly
  }

  /// Whatever an archive has a name for.
  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Reads a policy from an archive.
  ///
  /// - Throws: What `decoder` throws; `MartletError` for certificates, pins or patterns that cannot be read, and
  ///   with code `.invalidSecurityPolicy` for an entry of another name: misspelt, it would protect nothing.
  public init(from decoder: any Decoder) throws {
    let names = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
    if let unknown = names.first(where: { Key(stringValue: $0) == nil }) {
      throw MartletError.unknownEntry(unknown)
    }
    let container = try decoder.container(keyedBy: Key.self)
    pinningMode = try container.decode(PinningMode.self, forKey: .pinningMode)
    pins = try container.decode(Set<PublicKeyPin>.self, forKey: .pins)
    allowInvalidCertificates = try container.decode(Bool.self, forKey: .allowInvalidCertificates)
    validatesDomainName = try container.decode(Bool.self, forKey: .validatesDomainName)
    roots = try container.decodeIfPresent(TLSOptions.Roots.self, forKey: .roots)
    minimumVersion = try container.decodeIfPresent(TLSOptions.Version.self, forKey: .minimumVersion)
    maximumVersion = try container.decodeIfPresent(TLSOptions.Version.self, forKey: .maximumVersion)
    hosts = try container.decode([HostPattern: SecurityPolicy].self, forKey: .hosts)
    isReportOnly = try container.decode(Bool.self, forKey: .isReportOnly)
    let certificates = try container.decodeIfPresent(Set<Data>.self, forKey: .pinnedCertificates)
    if let certificates { try pin(certificates) }
  }

  /// Writes the policy to an archive.
  ///
  /// - Throws: What `encoder` throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(pinningMode, forKey: .pinningMode)
    try container.encode(pins, forKey: .pins)
    try container.encode(allowInvalidCertificates, forKey: .allowInvalidCertificates)
    try container.encode(validatesDomainName, forKey: .validatesDomainName)
    try container.encodeIfPresent(roots, forKey: .roots)
    try container.encodeIfPresent(minimumVersion, forKey: .minimumVersion)
    try container.encodeIfPresent(maximumVersion, forKey: .maximumVersion)
    try container.encode(hosts, forKey: .hosts)
    try container.encode(isReportOnly, forKey: .isReportOnly)
    try container.encodeIfPresent(pinnedCertificates, forKey: .pinnedCertificates)
  }
}

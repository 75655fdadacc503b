public import EssentialFoundation
public import MartletCore
public import MartletTransport

/// How a session evaluates server certificates.
///
/// The default uses the system's trust store. Pinning requires more: the server's chain must have a certificate or a
/// key that you know.
///
///     let policy = SecurityPolicy(pins: [
///       try PublicKeyPin("sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="),
///       try PublicKeyPin("sha256//…"),   // a backup key, which is not used yet
///     ])
///     let api = HTTPSessionManager(baseURL: url) { $0.securityPolicy = policy }
///
/// It is applied to every new TLS connection to a server, but not to a proxy, before any part of a request is sent.
public struct SecurityPolicy: Sendable {
  /// The part of the chain that pins are compared with.
  public enum PinningMode: Int, Hashable, Codable, Sendable {
    /// Pinned certificates are ignored.
    case disabled = 0
    /// The keys of the chain: one of them must be the key of a pinned certificate, or match a pin.
    case publicKey = 1
    /// The certificates of the chain: one of them must be pinned, and the chain must be valid up to it.
    case certificate = 2
  }

  /// The part of the chain that pins are compared with; it is fixed when the policy is made.
  public let pinningMode: PinningMode
  /// The pinned certificates, as DER; `nil` when none were given.
  public private(set) var pinnedCertificates: Set<Data>?
  /// The pinned keys. If there are any, one of them must be in the chain, in every mode. In the mode `.publicKey`, the
  /// keys of the pinned certificates count as well. The default is none.
  public var pins: Set<PublicKeyPin> = []
  /// Whether an invalid chain is accepted: expired, of an unknown authority, or self-signed. Pins still apply. The
  /// default is false.
  ///
  /// If nothing is pinned, also set `validatesDomainName` to false: otherwise every server is refused (SEC-6), because
  /// an invalid chain without a pin cannot confirm the host.
  public var allowInvalidCertificates = false
  /// Whether the certificate must be valid for the host, and for servers. The default is true.
  public var validatesDomainName = true
  /// The trust anchors. The default is `nil`: the `tls.roots` of the session.
  public var roots: TLSOptions.Roots?
  /// The oldest version of TLS accepted. The default is `nil`: the `tls.minimumVersion` of the session.
  public var minimumVersion: TLSOptions.Version?
  /// The newest version of TLS accepted. The default is `nil`: the `tls.maximumVersion` of the session.
  public var maximumVersion: TLSOptions.Version?
  /// Separate policies for some hosts, which replace this policy completely. Of several matching patterns, the most
  /// specific is used. The default is none.
  public var hostPolicies: [HostPattern: SecurityPolicy] = [:]
  /// Whether a chain without a pin is only reported, not refused. The default is false. Together with
  /// `allowInvalidCertificates`, at most the name is checked, and any server can claim any name.
  public var isReportOnly = false
  /// Called with every verdict, before it takes effect. The default is `nil`.
  public var onEvaluation: (@Sendable (ServerTrust) -> Void)?
  /// Makes the final decision. It receives the trust with the verdict of all settings above, and returns whether the
  /// server is trusted. If it throws, the server is refused. The default is `nil`: the verdict applies.
  public var evaluationOverride: (@Sendable (ServerTrust) async throws -> Bool)?

  /// A policy that uses the system's trust store, without pins (SEC-1).
  public init() {
    pinningMode = .disabled
  }

  /// A policy that requires one of these keys in the chain.
  ///
  /// - Parameter pins: The keys. Include a backup key that is not used yet, in case the server's key must be replaced.
  ///   An empty set refuses every server.
  public init(pins: Set<PublicKeyPin>) {
    pinningMode = .publicKey
    self.pins = pins
  }

  /// A policy that compares with pinned certificates.
  ///
  /// - Parameters:
  ///   - pinningMode: The part of the chain to compare.
  ///   - pinnedCertificates: The certificates, as DER: a server's own, or an authority's. The default is those
  ///     in the resources of the program (SEC-2).
  /// - Throws: `MartletError` with code `.invalidSecurityPolicy` when one cannot be read (SEC-5).
  public init(
    pinningMode: PinningMode,
    pinnedCertificates: Set<Data> = SecurityPolicy.bundledCertificates
  ) throws(MartletError) {
    self.pinningMode = pinningMode
    try pin(pinnedCertificates)
  }

  /// AFNetworking's `defaultPolicy`.
  public static var `default`: SecurityPolicy { SecurityPolicy() }

  /// Pins these certificates, in place of those pinned so far.
  ///
  /// - Parameter certificates: The certificates, as DER.
  /// - Throws: `MartletError` with code `.invalidSecurityPolicy` when one cannot be read (SEC-5).
  public mutating func pin(_ certificates: Set<Data>) throws(MartletError) {
    guard certificates.allSatisfy({ TrustVerifier.isCertificate(Array($0)) }) else {
      throw .unreadablePin
    }
    pinnedCertificates = certificates
  }

  /// The policy for a host.
  public func policy(for host: String) -> SecurityPolicy {
    HostPattern.mostSpecific(for: host, among: hostPolicies.keys).flatMap { hostPolicies[$0] }
      ?? self
  }

  /// Whether anything is pinned, here or for some host.
  var isPinning: Bool {
    pinningMode != .disabled || !pins.isEmpty || hostPolicies.values.contains(where: \.isPinning)
  }
}

/// Policies are equal when their settings are equal; closures are not compared.
extension SecurityPolicy: Equatable {
  /// Whether the settings of two policies are equal; closures are not compared.
  public static func == (left: SecurityPolicy, right: SecurityPolicy) -> Bool {
    left.pinningMode == right.pinningMode && left.pinnedCertificates == right.pinnedCertificates
      && left.pins == right.pins
      && left.allowInvalidCertificates == right.allowInvalidCertificates
      && left.validatesDomainName == right.validatesDomainName && left.roots == right.roots
      && left.minimumVersion == right.minimumVersion
      && left.maximumVersion == right.maximumVersion
      && left.hostPolicies == right.hostPolicies && left.isReportOnly == right.isReportOnly
  }
}

/// Archived with everything but its closures (SEC-20).
extension SecurityPolicy: Codable {
  private enum Key: String, CodingKey {
    case pinningMode, pinnedCertificates, pins, allowInvalidCertificates, validatesDomainName
    case roots, minimumVersion, maximumVersion, isReportOnly
    case hostPolicies = "hosts"
  }

  /// Any name of an entry in an archive.
  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Reads a policy from an archive.
  ///
  /// - Throws: What `decoder` throws; `MartletError` for certificates, pins or patterns that cannot be read, and with
  ///   code `.invalidSecurityPolicy` for an unknown entry, because a misspelt entry would protect nothing.
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
    hostPolicies = try container.decode([HostPattern: SecurityPolicy].self, forKey: .hostPolicies)
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
    try container.encode(hostPolicies, forKey: .hostPolicies)
    try container.encode(isReportOnly, forKey: .isReportOnly)
    try container.encodeIfPresent(pinnedCertificates, forKey: .pinnedCertificates)
  }
}

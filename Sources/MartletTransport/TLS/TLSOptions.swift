public import EssentialFoundation
public import MartletCore

/// Whom to trust, and with which TLS.
///
/// The default verifies the whole chain, the dates and the host name against the system's roots, over
/// TLS 1.2 or newer. Sessions are not resumed: the TLS library beneath offers that to servers only.
public struct TLSOptions: Sendable {
  /// The certificates at which trust begins.
  public enum Roots: Hashable, Codable, Sendable {
    /// Those of the operating system, read again when they have changed.
    case system
    /// Those of the operating system and these, each in DER form. One that cannot be read is an error.
    case systemAnd([[UInt8]])
    /// Those in a file in PEM form, or the one in a file in DER form, and no others. What cannot be read is
    /// left out.
    case file(URL)
    /// These, each in DER form, and no others. One that cannot be read is an error.
    case certificates([[UInt8]])
  }

  /// The versions of TLS that may be asked for.
  public enum Version: Hashable, Sendable {
    /// TLS 1.2 (RFC 5246).
    case tls12
    /// TLS 1.3 (RFC 8446).
    case tls13
  }

  /// The certificates at which trust begins. The default is the system's.
  public var roots = Roots.system
  /// Decides in place of the built-in verification, `roots` included, for every new connection to a server. It
  /// is not asked about proxies. The default is none.
  public var evaluator: (any TrustEvaluating)?
  /// Whether any certificate of any server is accepted. The default is false; never set it outside of tests.
  public var acceptsAnyCertificate = false
  /// The oldest version accepted. The default is TLS 1.2.
  public var minimumVersion = Version.tls12
  /// The newest version accepted. The default is `nil`: whatever is newest.
  public var maximumVersion: Version?
  /// What to show to servers that ask who is there, by host; of several patterns the closest counts. The
  /// default is none.
  public var clientIdentities: [HostPattern: ClientIdentity] = [:]
  /// Asked when a server that `clientIdentities` do not name wants to see a certificate; `nil` shows none, and
  /// what it throws ends the handshake. The default is none.
  public var clientIdentityProvider: ClientIdentityProvider?
  /// Where the secrets of all connections are written, for Wireshark: with this file the traffic can be
  /// decrypted. The default is the environment's `SSLKEYLOGFILE`, usually none.
  public var keyLogFile: URL? = Self.environmentKeyLogFile

  /// Answers a server that wants to see a certificate.
  public typealias ClientIdentityProvider =
    @Sendable (ClientCertificateRequest) async throws -> ClientIdentity?

  private static let environmentKeyLogFile: URL? = {
    let path = ProcessInfo.processInfo.environment["SSLKEYLOGFILE"] ?? ""
    return path.isEmpty ? nil : URL(fileURLWithPath: path)
  }()

  /// Options with the documented defaults.
  public init() {}

  var versions: TLSVersionBounds {
    TLSVersionBounds(minimum: minimumVersion, maximum: maximumVersion)
  }
}

/// Versions as text.
extension TLSOptions.Version: CustomStringConvertible, Codable {
  /// A version from its name, `TLSv1.2` or `TLSv1.3`.
  ///
  /// - Throws: `MartletError` with code `.invalidTLSOptions` for any other text. An optional in its place could leave
  ///   a bound unset.
  public init(_ text: String) throws(MartletError) {
    switch text {
    case Self.tls12.description: self = .tls12
    case Self.tls13.description: self = .tls13
    default: throw .unknownTLSVersion(text)
    }
  }

  /// The name of the version, as in metrics.
  public var description: String {
    switch self {
    case .tls12: "TLSv1.2"
    case .tls13: "TLSv1.3"
    }
  }

  /// Reads a version from its name.
  ///
  /// - Throws: `MartletError` with code `.invalidTLSOptions`, or what `decoder` throws.
  public init(from decoder: any Decoder) throws {
    try self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the version as its name.
  ///
  /// - Throws: What `encoder` throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// The versions of TLS that may be agreed on.
package struct TLSVersionBounds: Sendable {
  /// The oldest; `nil` leaves it to the configuration.
  package var minimum: TLSOptions.Version?
  /// The newest; `nil` leaves it to the configuration.
  package var maximum: TLSOptions.Version?

  /// Bounds.
  package init(minimum: TLSOptions.Version?, maximum: TLSOptions.Version?) {
    self.minimum = minimum
    self.maximum = maximum
  }

  /// These where they say something, and `others` where they do not.
  func orElse(_ others: TLSVersionBounds) -> TLSVersionBounds {
    TLSVersionBounds(
      minimum: minimum ?? others.minimum, maximum: maximum ?? others.maximum)
  }
}

/// An evaluator that also says over which versions of TLS a host may be talked to.
package protocol TLSVersionChoosing: TrustEvaluating {
  /// What goes before the options of the engine.
  func versions(for host: String) -> TLSVersionBounds
}

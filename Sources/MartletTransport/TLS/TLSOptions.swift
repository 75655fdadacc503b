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
  public var identities: [HostPattern: ClientIdentity] = [:]
  /// Asked when a server that `identities` do not name wants to see a certificate; `nil` shows none, and
  /// what it throws ends the handshake. The default is none.
  public var identityProvider: IdentityProvider?
  /// Where the secrets of all connections are written, for Wireshark: with this file the traffic can be
  /// decrypted. The default is the environment's `SSLKEYLOGFILE`, usually none.
  public var keyLogFile: URL? = Self.environmentKeyLogFile

  /// Answers a server that wants to see a certificate.
  public typealias IdentityProvider =
    @Sendable (IdentityChallenge) async throws -> ClientIdentity?

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

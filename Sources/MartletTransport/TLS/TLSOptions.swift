public import EssentialFoundation
public import MartletCore

/// The TLS options: trust in servers, TLS versions and client certificates.
///
/// The default verifies the host name, the dates and the chain up to a root of the system, and requires TLS 1.2 or
/// newer. Sessions are not resumed, because the TLS library supports that for servers only.
public struct TLSOptions: Sendable {
  /// The trust anchors: the root certificates at which chains end.
  public enum Roots: Hashable, Codable, Sendable {
    /// The anchors of the operating system, which are read again when they have changed.
    case system
    /// The anchors of the operating system and these certificates, each in DER form. A certificate that cannot be read
    /// is an error, and so is an empty array.
    case systemAnd([[UInt8]])
    /// Only the certificates in a PEM file, or the certificate in a DER file. Certificates that cannot be read are left
    /// out. A file without readable certificates is an error.
    case file(URL)
    /// Only these certificates, each in DER form. A certificate that cannot be read is an error, and so is an empty
    /// array.
    case certificates([[UInt8]])
  }

  /// A version of TLS.
  public enum Version: Hashable, Sendable {
    /// TLS 1.2 (RFC 5246).
    case tls12
    /// TLS 1.3 (RFC 8446).
    case tls13
  }

  /// The trust anchors. The default is those of the system.
  public var roots = Roots.system
  /// Replaces the built-in verification, including `roots`, for every new connection to a server. It is not used for
  /// proxies. The default is none.
  public var evaluator: (any TrustEvaluating)?
  /// Whether every certificate of every server is accepted. An `evaluator` takes precedence. The default is false. Set
  /// it in tests only.
  public var acceptsAnyCertificate = false
  /// The oldest version accepted. The default is TLS 1.2.
  public var minimumVersion = Version.tls12
  /// The newest version accepted. The default is `nil`, the newest that is supported.
  public var maximumVersion: Version?
  /// The identities for servers that request a client certificate, by host. If several patterns match, the most
  /// specific pattern counts. The default is none.
  public var clientIdentities: [HostPattern: ClientIdentity] = [:]
  /// Called when a server requests a client certificate and `clientIdentities` has none for it. If it returns `nil`,
  /// no certificate is sent; an error ends the handshake. It is called in a task, which is cancelled at the time-out of TLS and
  /// when the handshake is cancelled. The default is none.
  public var clientIdentityProvider: ClientIdentityProvider?
  /// The file to which the secrets of all connections are written, for Wireshark. With this file the traffic can be
  /// decrypted. The default is the environment's `SSLKEYLOGFILE`, usually none.
  public var keyLogFile: URL? = Self.environmentKeyLogFile

  /// Returns the identity for a server that requests a client certificate.
  public typealias ClientIdentityProvider =
    @Sendable (ClientCertificateRequest) async throws -> ClientIdentity?

  private static let environmentKeyLogFile: URL? = {
    let path = ProcessInfo.processInfo.environment["SSLKEYLOGFILE"] ?? ""
    return path.isEmpty ? nil : URL(fileURLWithPath: path)
  }()

  /// Options with the documented defaults.
  public init() {}

  /// Returns the identity in `clientIdentities` for a host; `nil` if there is none.
  package func clientIdentity(for host: String) -> ClientIdentity? {
    guard !clientIdentities.isEmpty else { return nil }
    return HostPattern.mostSpecific(for: host, among: clientIdentities.keys)
      .flatMap { clientIdentities[$0] }
  }

  var versions: TLSVersionBounds {
    TLSVersionBounds(minimum: minimumVersion, maximum: maximumVersion)
  }
}

/// Versions as text.
extension TLSOptions.Version: CustomStringConvertible, Codable {
  /// A version from its name, `TLSv1.2` or `TLSv1.3`.
  ///
  /// - Throws: `MartletError` with code `.invalidTLSOptions` for any other text. It does not return `nil`, because
  ///   `nil` could leave a bound unset.
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

/// The versions of TLS that may be negotiated.
package struct TLSVersionBounds: Sendable {
  /// The oldest version; `nil` leaves it to the configuration.
  package var minimum: TLSOptions.Version?
  /// The newest version; `nil` leaves it to the configuration.
  package var maximum: TLSOptions.Version?

  /// Bounds from their parts.
  package init(minimum: TLSOptions.Version?, maximum: TLSOptions.Version?) {
    self.minimum = minimum
    self.maximum = maximum
  }

  /// Returns these bounds, with `others` where they are `nil`.
  func filled(from others: TLSVersionBounds) -> TLSVersionBounds {
    TLSVersionBounds(
      minimum: minimum ?? others.minimum, maximum: maximum ?? others.maximum)
  }
}

/// An evaluator that also chooses the versions of TLS for a host.
package protocol TLSVersionChoosing: TrustEvaluating {
  /// The versions for a host, which override the options of the engine.
  func versions(for host: String) -> TLSVersionBounds
}

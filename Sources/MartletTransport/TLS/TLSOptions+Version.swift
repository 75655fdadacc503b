public import MartletCore

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

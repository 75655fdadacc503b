import EssentialFoundation

/// The SHA-256 digest of a public key (RFC 7469 §2.4).
///
/// A server's keys change less often than its certificates.
///
///     try PublicKeyPin("sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")   // as curl writes it
///     try PublicKeyPin("sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")    // as OkHttp does
///
/// The digest is that of the `SubjectPublicKeyInfo` in DER form.
public struct PublicKeyPin: Hashable, Sendable {
  /// The 32 bytes of the digest.
  public let digest: [UInt8]

  /// A pin from 32 bytes.
  ///
  /// - Parameter digest: The SHA-256. With another length, the result is `nil`.
  public init?(digest: some Sequence<UInt8>) {
    self.digest = Array(digest)
    guard self.digest.count == 32 else { return nil }
  }

  /// A pin in the format of curl or OkHttp.
  ///
  /// - Parameter text: `sha256//` or `sha256/`, and the digest in base64.
  /// - Throws: `MartletError` with code `.invalidPin`.
  public init(_ text: String) throws(MartletError) {
    guard let prefix = ["sha256//", "sha256/"].first(where: text.hasPrefix),
      let data = Data(base64Encoded: String(text.dropFirst(prefix.count))),
      let pin = PublicKeyPin(digest: data)
    else { throw .invalidPin(text) }
    self = pin
  }

  /// The pins in a list separated by semicolons, as in curl.
  ///
  /// - Throws: `MartletError` with code `.invalidPin`.
  public static func all(in text: String) throws(MartletError) -> [PublicKeyPin] {
    var pins: [PublicKeyPin] = []
    for part in text.split(separator: ";", omittingEmptySubsequences: false) {
      pins.append(try PublicKeyPin(String(part)))
    }
    return pins
  }
}

extension PublicKeyPin: CustomStringConvertible {
  /// The pin in the format of curl, `sha256//…`.
  public var description: String { "sha256//\(Data(digest).base64EncodedString())" }
}

extension PublicKeyPin: Codable {
  /// Reads a pin from its text.
  ///
  /// - Throws: `MartletError` with code `.invalidPin`, or what `decoder` throws.
  public init(from decoder: any Decoder) throws {
    try self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the pin as its text.
  ///
  /// - Throws: What `encoder` throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

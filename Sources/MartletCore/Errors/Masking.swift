package import EssentialFoundation
package import HTTPTypes

extension String {
  /// The text for messages: user and password of URLs are masked, and control characters are escaped.
  ///
  /// A long text is cut off after 200 characters.
  package var masked: String { withoutUserInfo.sanitized }

  /// The same for text that contains no URL, such as a name in a certificate.
  package var sanitized: String {
    let start = String(String.UnicodeScalarView(unicodeScalars.prefix(200)))
    return start.escapingControlCharacters + (start.utf8.count < utf8.count ? "…" : "")
  }
}

extension URL {
  /// The URL for descriptions: user, password, and the values of parameters that are credentials are masked.
  package var masked: String { absoluteString.maskingSecretParameters().masked }
}

extension String {
  /// The parameters of a query whose values are credentials, in lower case.
  private static let secretParameters: Set<Substring> = [
    "access_token", "refresh_token", "id_token", "token", "api_key", "apikey", "client_secret",
    "secret", "password",
    "passwd", "signature", "sig", "awsaccesskeyid", "x-amz-signature", "x-amz-credential",
    "x-amz-security-token",
    "x-goog-signature", "x-goog-credential",
  ]

  /// Whether a parameter with this name is a credential.
  package var isSecretParameter: Bool { Self.secretParameters.contains(lowercased()[...]) }

  /// Returns the text of a URL with `mask` in place of the values of secret parameters.
  package func maskingSecretParameters(with mask: String = "***") -> String {
    guard let start = utf8.firstIndex(of: UInt8(ascii: "?")) else { return self }
    let end = utf8[start...].firstIndex(of: UInt8(ascii: "#")) ?? endIndex
    let pairs = self[index(after: start)..<end].split(
      separator: "&", omittingEmptySubsequences: false)
    let masked = pairs.map { pair in
      let name = pair.prefix { $0 != "=" }
      return String(name).isSecretParameter && name != pair ? "\(name)=\(mask)" : String(pair)
    }
    return self[...start] + masked.joined(separator: "&") + self[end...]
  }
}

extension HTTPField {
  /// The fields whose values are credentials.
  private static let secrets: Set<Name> = [
    .authorization, .proxyAuthorization, .cookie, .setCookie,
  ]

  /// Whether the value is secret, because of the field's name or because the field must not be indexed
  /// (RFC 7541 §7.1.3).
  package var isSecret: Bool {
    Self.secrets.contains(name) || indexingStrategy == .disallow
  }

  /// The fields whose values are URLs.
  private static let locations: Set<Name> = [.location, .contentLocation, .referer]

  /// The value, with secrets masked: all of it, or those of a URL.
  package var maskedValue: String {
    if isSecret { return "***" }
    guard Self.locations.contains(name) else { return value }
    return value.maskingSecretParameters().withoutUserInfo
  }

  /// The field for descriptions; a secret value is masked.
  package var masked: String { "\(name.rawName): \(maskedValue.masked)" }
}

extension HTTPFields {
  /// The fields for descriptions, in brackets, with secrets masked; empty when there are no fields.
  package var masked: String {
    isEmpty ? "" : " [\(map(\.masked).joined(separator: ", "))]"
  }
}

extension String {
  /// The text with user and password of each URL masked.
  ///
  /// A text whose password contains an unescaped slash or question mark is not a URL, but the error about it shows the
  /// text. If the part after a colon is not a port, it is therefore masked as a password, up to the last at sign.
  package var withoutUserInfo: String {
    guard utf8.contains(UserInfoSearch.at) else { return self }
    var search = UserInfoSearch(Array(utf8))
    return String(decoding: search.masked(), as: UTF8.self)
  }
}

/// Finds users and passwords in one pass, because the text may come from a server and be very long.
private struct UserInfoSearch {
  private static let slash = UInt8(ascii: "/")
  static let at = UInt8(ascii: "@")
  private static let endsAuthority = Set("/?#".utf8)
  private static let blanks = Set(" \t\n\r\u{B}\u{C}".utf8)

  private let bytes: [UInt8]
  /// The last examined part without blanks: its end, and its last at sign.
  private var stretch: (end: Int, lastAt: Int?) = (0, nil)

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func masked() -> [UInt8] {
    var masked: [UInt8] = []
    var position = 0
    while let slash = bytes[position...].firstIndex(of: Self.slash) {
      var next = slash + 1
      masked += bytes[position..<next]
      if next < bytes.count, bytes[next] == Self.slash, let at = end(from: next + 1) {
        masked += "/***@".utf8
        next = at + 1
      }
      position = next
    }
    return masked + bytes[position...]
  }

  /// Returns the index of the at sign that ends the user and password of an authority.
  private mutating func end(from start: Int) -> Int? {
    let authority = bytes[start...].prefix { !Self.endsAuthority.contains($0) }
    if let at = authority.lastIndex(of: Self.at) { return at }
    guard
      let colon = authority.prefix(while: { $0 != UInt8(ascii: "[") }).firstIndex(
        of: UInt8(ascii: ":"))
    else { return nil }
    let isPort = authority[(colon + 1)...].allSatisfy(\.isDigit)
    return isPort ? nil : lastAt(after: colon)
  }

  /// Returns the index of the last at sign before the next blank.
  private mutating func lastAt(after colon: Int) -> Int? {
    if colon >= stretch.end {
      let rest = bytes[colon...].prefix { !Self.blanks.contains($0) }
      stretch = (rest.endIndex, rest.lastIndex(of: Self.at))
    }
    return stretch.lastAt.flatMap { $0 > colon ? $0 : nil }
  }
}

package import EssentialFoundation
package import HTTPTypes

extension String {
  /// The text for messages: users, passwords and secret parameters of URLs are masked, and control characters are escaped.
  ///
  /// A long text is cut off after 200 characters.
  package var masked: String { maskingSecretParameters().withoutUserInfo.sanitized }

  /// The same for text that contains no URL, such as a name in a certificate.
  package var sanitized: String {
    let start = String(String.UnicodeScalarView(unicodeScalars.prefix(200)))
    return start.escapingControlCharacters + (start.utf8.count < utf8.count ? "…" : "")
  }
}

extension URL {
  /// The URL for descriptions: user, password, and the values of parameters that are credentials are masked.
  package var masked: String { absoluteString.masked }
}

extension String {
  /// The ends of the names of parameters, members and fields whose values are credentials: letters and digits in
  /// lower case.
  private static let secretEnds = [
    "token", "secret", "password", "passwd", "passphrase", "apikey", "signature", "credential",
    "assertion", "accesskeyid", "privatekey",
  ]
  /// The whole names of others.
  private static let secretNames: Set<String> = [
    "sig", "pwd", "jwt", "session", "sessionid",
  ]

  /// Whether a parameter of a URL, a field of a form or a member of JSON with this name is a credential.
  package var isSecretName: Bool {
    let name = (percentDecoded ?? self).lowercased().filter { $0.isLetter || $0.isNumber }
    return Self.secretNames.contains(name) || Self.secretEnds.contains { name.hasSuffix($0) }
  }

  /// Returns the text of a URL with `mask` in place of the values of secret parameters, in its query and its fragment.
  package func maskingSecretParameters(with mask: String = "***") -> String {
    guard let start = utf8.firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") })
    else { return self }
    return self[..<start] + String(self[start...]).maskingSecretPairs(with: mask)
  }
}

extension String {
  /// What ends a value: the next pair, and what follows a URL in a sentence.
  private static let endsValue = Set("&?#; \t\r\n\"'<>,”“".unicodeScalars)

  /// Returns pairs of names and values, as in a query or a form, with `mask` in place of the values of secret names.
  func maskingSecretPairs(with mask: String) -> String {
    var (masked, name) = (UnicodeScalarView(), UnicodeScalarView())
    var isHidden = false
    for scalar in unicodeScalars {
      if Self.endsValue.contains(scalar) {
        (isHidden, name) = (false, UnicodeScalarView())
      } else if isHidden {
        continue
      }
      masked.append(scalar)
      guard scalar == "=" else {
        name.append(scalar)
        continue
      }
      // OAuth sends codes in URLs and forms. In JSON, a code is that of an error.
      isHidden = String(name).isSecretName || String(name) == "code"
      if isHidden { masked.append(contentsOf: mask.unicodeScalars) }
      name = UnicodeScalarView()
    }
    return String(masked)
  }
}

extension HTTPField {
  /// The fields whose values are credentials.
  private static let secrets: Set<Name> = [
    .authorization, .proxyAuthorization, .cookie, .setCookie,
  ]

  /// Whether the value is secret, because of the field's name, such as `X-Api-Key`, or because the field must not be indexed
  /// (RFC 7541 §7.1.3).
  package var isSecret: Bool {
    Self.secrets.contains(name) || indexingStrategy == .disallow || name.rawName.isSecretName
  }

  /// The value, with secrets masked: all of it, or those in its URLs.
  package var maskedValue: String {
    isSecret ? "***" : value.maskingSecretParameters().withoutUserInfo
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

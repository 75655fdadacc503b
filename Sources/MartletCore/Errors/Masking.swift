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
  package var masked: String {
    absoluteString.maskingSecretParameters(isURL: true).withoutUserInfo.sanitized
  }
}

/// The name of a parameter, a member or a field whose value is a credential, or the end of such names. Only letters and digits
/// count, in lower case.
private struct SecretName {
  private static let all =
    [
      "token", "secret", "password", "passwd", "passphrase", "apikey", "signature", "credential",
      "assertion", "accesskeyid", "privatekey",
    ].map { SecretName(bytes: Array($0.utf8), isWhole: false) }
    + ["sig", "pwd", "jwt", "session", "sessionid"]
    .map { SecretName(bytes: Array($0.utf8), isWhole: true) }
  private static let endings = all.compactMap { $0.bytes.withUnsafeBufferPointer(ending) }

  let bytes: [UInt8]
  let isWhole: Bool

  /// Whether a name is one of them. Caches ask that about each field of a request: two letters rule out most names.
  static func isOne(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    if let ending = ending(of: name), !endings.contains(ending) { return false }
    return all.contains { $0.matches(name) }
  }

  /// The last two bytes in lower case, as a number; `nil` unless both are letters or digits.
  private static func ending(of name: UnsafeBufferPointer<UInt8>) -> UInt16? {
    guard name.count > 1 else { return nil }
    let (first, second) = (name[name.count - 2], name[name.count - 1])
    guard first.isLetter || first.isDigit, second.isLetter || second.isDigit else { return nil }
    return UInt16(first.lowercased) << 8 | UInt16(second.lowercased)
  }

  /// Whether a name ends so, or is the same.
  private func matches(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    var left = bytes.count
    for byte in name.reversed() where byte.isLetter || byte.isDigit {
      guard left > 0 else { return !isWhole }
      left -= 1
      guard byte.lowercased == bytes[left] else { return false }
    }
    return left == 0
  }
}

extension String {
  /// Whether a parameter of a URL, a field of a form or a member of JSON with this name is a credential.
  package var isSecretName: Bool {
    let isOne = utf8.withContiguousStorageIfAvailable { bytes in
      bytes.contains(UInt8(ascii: "%")) ? nil : SecretName.isOne(bytes)
    }
    if let isOne = isOne ?? nil { return isOne }
    var name = percentDecoded ?? self
    return name.withUTF8(SecretName.isOne)
  }

  /// The same for a parameter of a URL, or a field of a form. OAuth sends codes in them; in JSON, a code is that of an error.
  fileprivate var isSecretParameter: Bool { isSecretName || self == "code" }

  /// Returns a URL, or a text with URLs, with `mask` in place of the values of secret parameters, in queries and fragments.
  ///
  /// - Parameters:
  ///   - mask: What takes the place of values. The default is `***`.
  ///   - isURL: Whether it is nothing but a URL, in which a value may have any punctuation. The default is false.
  /// - Returns: The text without these values.
  package func maskingSecretParameters(with mask: String = "***", isURL: Bool = false) -> String {
    guard let start = utf8.firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") })
    else { return self }
    let ends = isURL ? Self.endsURLValue : Self.endsParameter
    return self[..<start] + String(self[start...]).maskingSecretPairs(with: mask, valuesEndAt: ends)
  }
}

extension String {
  /// What ends the value of a parameter in a URL.
  private static let endsURLValue = Set("&#".unicodeScalars)
  /// The same in a text: the next pair, and what follows a URL in a sentence.
  private static let endsParameter = Set("&#; \t\r\n\"'<>,”“".unicodeScalars)
  /// What ends the value of a field of a form.
  static let endsFormValue = Set("&".unicodeScalars)
  /// Where a name may begin: a value may have a URL in it.
  private static let precedesName = endsParameter.union("?".unicodeScalars)

  /// Returns pairs of names and values, as in a query or a form, with `mask` in place of the values of secret names.
  func maskingSecretPairs(with mask: String, valuesEndAt ends: Set<UnicodeScalar>) -> String {
    var (masked, name) = (UnicodeScalarView(), UnicodeScalarView())
    var isHidden = false
    for scalar in unicodeScalars {
      guard !isHidden || ends.contains(scalar) else { continue }
      masked.append(scalar)
      if Self.precedesName.contains(scalar) {
        (isHidden, name) = (false, UnicodeScalarView())
      } else if scalar == "=" {
        isHidden = String(name).isSecretParameter
        if isHidden { masked.append(contentsOf: mask.unicodeScalars) }
        name = UnicodeScalarView()
      } else {
        name.append(scalar)
      }
    }
    return String(masked)
  }
}

extension HTTPField {
  /// Whether the value is a credential: of `Authorization`, `Proxy-Authorization`, `Cookie` or `Set-Cookie`, of a field with such a
  /// name as `X-Api-Key`, or of one that must not be indexed (RFC 7541 §7.1.3).
  package var isSecret: Bool {
    if indexingStrategy == .disallow { return true }
    // Few names have the same length, which is cheap to compare.
    switch name.rawName.utf8.count {
    case 6 where name == .cookie, 10 where name == .setCookie, 13 where name == .authorization,
      19 where name == .proxyAuthorization:
      return true
    default: return name.rawName.isSecretName
    }
  }

  /// The value, with secrets masked: all of it, or those in its URLs.
  package var maskedValue: String {
    isSecret ? "***" : value.maskingSecretParameters().withoutUserInfo
  }

  /// The field for descriptions; a secret value is masked.
  package var masked: String { "\(name.rawName): \(maskedValue.masked)" }
}

extension HTTPFields {
  /// Whether the value of a field is a credential.
  package var haveSecret: Bool { contains(where: \.isSecret) }
  /// The fields whose values are credentials.
  package var secrets: HTTPFields { filter(\.isSecret) }

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

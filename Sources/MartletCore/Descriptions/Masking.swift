package import EssentialFoundation
package import HTTPTypes

extension String {
  /// The text as a message may show it: the user and password of a URL masked, what a terminal would obey
  /// written out, and not too long.
  package var masked: String { withoutUserInfo.shown }

  /// The same of text that is no URL, such as a name in a certificate.
  package var shown: String {
    let start = String(String.UnicodeScalarView(unicodeScalars.prefix(200)))
    return start.visible + (start.utf8.count < utf8.count ? "…" : "")
  }
}

extension URL {
  /// The URL as a description may show it.
  package var masked: String { absoluteString.masked }
}

extension HTTPField {
  /// The fields whose values are credentials.
  private static let secrets: Set<Name> = [
    .authorization, .proxyAuthorization, .cookie, .setCookie,
  ]

  /// Whether the value is secret: by the name of the field, or because the field must not be indexed
  /// (RFC 7541 §7.1.3).
  private var isSecret: Bool {
    Self.secrets.contains(name) || indexingStrategy == .disallow
  }

  /// The field as a description may show it.
  package var masked: String { "\(name.rawName): \(isSecret ? "***" : value.masked)" }
}

extension HTTPFields {
  /// The fields as a description may show them, in brackets; nothing at all when there are none.
  package var masked: String {
    isEmpty ? "" : " [\(map(\.masked).joined(separator: ", "))]"
  }
}

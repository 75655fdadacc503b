package import Foundation
package import HTTPTypes

extension String {
  /// The text of a URL without the user and password that it may hold.
  ///
  /// Whoever has not escaped a slash or a question mark in a password has written no URL, and is told so. What stands
  /// behind a colon then and is no port belongs to the password, up to the last at sign.
  package var withoutUserInfo: String {
    replacing(/\/\/(?:[^\/?#]*|[^\/?#@\[]*:(?!\d*(?:[\/?#]|$))[^\s]*)@/, with: "//***@")
  }

  /// The text as a message may show it: the user and password of a URL masked, what a terminal would obey
  /// written out, and not too long.
  package var masked: String {
    let harmless = withoutUserInfo.unicodeScalars
    let start = String(String.UnicodeScalarView(harmless.prefix(200)))
    return start.visible + (harmless.count > 200 ? "…" : "")
  }
}

extension URL {
  /// The URL as a description may show it.
  package var masked: String { absoluteString.masked }
}

extension HTTPField {
  /// The fields whose values let whoever has them in.
  private static let secrets: Set<Name> = [
    .authorization, .proxyAuthorization, .cookie, .setCookie,
  ]

  /// Whether the value is for nobody's eyes: by its name, or because whoever made the field forbids to
  /// index it (RFC 7541 §7.1.3).
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

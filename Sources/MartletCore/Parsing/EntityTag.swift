package import HTTPTypes

/// An entity tag, which identifies one state of a resource (RFC 9110 §8.8.3).
///
/// It may have bytes that are not UTF-8. Its text has one character for each byte; see `HTTPField.byteText`.
package struct EntityTag: Hashable, Sendable {
  /// The tag as it was received, such as `W/"1"`.
  package let text: String
  /// The tag without `W/`.
  private let opaque: Substring
  /// Whether it identifies the bytes of the body. A tag without quotes is never strong.
  package let isStrong: Bool

  /// The tag in a field such as `ETag`.
  package init?(_ field: HTTPField) {
    self.init(byteText: field.byteText)
  }

  /// The tags in a list such as `If-None-Match`.
  package static func all(in fields: some Sequence<HTTPField>) -> [EntityTag] {
    fields.flatMap { field -> [EntityTag] in
      var isQuoted = false
      // In a tag, a backslash is no escape, and a comma is no separator.
      return field.byteText.split { character in
        if character == "\"" { isQuoted.toggle() }
        return character == "," && !isQuoted
      }.compactMap { EntityTag(byteText: String($0)) }
    }
  }

  /// A tag as it was received. Tags without quotes are accepted, because some servers send them.
  private init?(byteText field: String) {
    text = field.trimmingBlanks
    guard !text.isEmpty, text != "*" else { return nil }
    let isWeak = text.hasPrefix("W/")
    opaque = isWeak ? text.dropFirst(2) : Substring(text)
    isStrong = !isWeak && text.utf8.first == UInt8(ascii: "\"")
  }

  /// Whether both tags identify the same bytes (§8.8.3.2).
  package func matchesStrongly(_ other: EntityTag) -> Bool {
    isStrong && other.isStrong && opaque == other.opaque
  }

  /// Whether both tags identify equivalent bodies (§8.8.3.2).
  package func matchesWeakly(_ other: EntityTag) -> Bool { opaque == other.opaque }
}

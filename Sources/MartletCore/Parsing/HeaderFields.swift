public import HTTPTypes

/// Fields whose names and values come from outside the program.
///
/// The literals and subscripts of swift-http-types silently replace invalid characters in a value. These functions
/// refuse them, because a line break in a value would add a second field (RFC 9110 §5.5).
extension HTTPFields {
  /// Fields from names and values given as text.
  ///
  /// - Throws: `MartletError` with code `.invalidHeader`; see `append(name:value:)`.
  public init(validating fields: KeyValuePairs<String, String>) throws(MartletError) {
    self.init()
    for (name, value) in fields { try append(name: name, value: value) }
  }

  /// Appends a field.
  ///
  /// - Throws: `MartletError` with code `.invalidHeader` when the name is not a token, or the value
  ///   contains CR, LF, NUL or another control character, or begins or ends with a blank.
  public mutating func append(name: String, value: String) throws(MartletError) {
    append(try HTTPField(validating: name, value: value))
  }

  /// Sets a field, and removes all others with the same name.
  ///
  /// - Throws: `MartletError` with code `.invalidHeader`; see `append(name:value:)`.
  public mutating func set(name: String, value: String) throws(MartletError) {
    let field = try HTTPField(validating: name, value: value)
    self[fields: field.name] = [field]
  }
}

extension HTTPField {
  /// A field from a name and value that come from outside the program.
  ///
  /// - Throws: `MartletError` with code `.invalidHeader`.
  public init(validating name: String, value: String) throws(MartletError) {
    let name = try HTTPField.Name(validating: name)
    guard HTTPField.isValidValue(value) else { throw .invalidHeaderValue(name: name.rawName) }
    self.init(name: name, value: value)
  }
}

/// Values that are not UTF-8 (RFC 9110 §5.5).
extension HTTPField {
  /// The value with one character for each byte, so that different values have different texts. In `value`, all bytes
  /// that are not UTF-8 are the same character.
  package var byteText: String {
    withUnsafeBytesOfValue { bytes in
      guard bytes.contains(where: { $0 >= 0x80 }) else {
        return String(decoding: bytes, as: UTF8.self)
      }
      var text = ""
      text.unicodeScalars.append(contentsOf: bytes.lazy.map { Unicode.Scalar($0) })
      return text
    }
  }

  /// A field with the bytes of a ``byteText``.
  package init(name: Name, byteText: String) {
    self.init(
      name: name, lenientValue: byteText.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
  }
}

extension HTTPField.Name {
  /// A field name that comes from outside the program.
  ///
  /// - Throws: `MartletError` with code `.invalidHeader` when it is not a token (RFC 9110 §5.1).
  public init(validating name: String) throws(MartletError) {
    guard !name.hasPrefix(":"), let checked = HTTPField.Name(name) else {
      throw .invalidHeaderName(name)
    }
    self = checked
  }
}

extension KeyedDecodingContainer {
  /// Decodes header fields.
  ///
  /// The decoding of swift-http-types traps if there are too many fields.
  ///
  /// - Throws: `DecodingError`, also for more than 10,000 fields and for the names of pseudo-fields.
  package func decodeFields(forKey key: Key) throws -> HTTPFields {
    let fields = try decode([HTTPField].self, forKey: key)
    guard fields.count <= 10_000, !fields.contains(where: { $0.name.rawName.hasPrefix(":") }) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "No message can have these header fields.")
    }
    return HTTPFields(fields)
  }
}

extension HTTPField.Name {
  /// `Host`, for which swift-http-types has no public constant. The name is valid, so that the fallback is never used.
  package static let host = HTTPField.Name("Host") ?? .origin

  /// Whether this is `Host`. The length is checked first for speed.
  package var isHost: Bool { rawName.utf8.count == 4 && self == .host }
}

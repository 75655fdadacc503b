public import HTTPTypes

/// Fields whose names and values are text from elsewhere.
///
/// The literals and subscripts of swift-http-types silently replace what may not stand in a value. Here it
/// is refused, because a line break in a value would write a second field
/// (RFC 9110 §5.5).
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
  ///   holds CR, LF, NUL or another control character, or begins or ends with a blank.
  public mutating func append(name: String, value: String) throws(MartletError) {
    append(try HTTPField(validating: name, value: value))
  }

  /// Puts a field in place of all that have its name.
  ///
  /// - Throws: `MartletError` with code `.invalidHeader`; see `append(name:value:)`.
  public mutating func set(name: String, value: String) throws(MartletError) {
    let field = try HTTPField(validating: name, value: value)
    self[fields: field.name] = [field]
  }
}

extension HTTPField {
  /// A field whose name and value are text from elsewhere.
  ///
  /// - Throws: `MartletError` with code `.invalidHeader`.
  public init(validating name: String, value: String) throws(MartletError) {
    let name = try HTTPField.Name(validating: name)
    guard HTTPField.isValidValue(value) else { throw .invalidHeaderValue(name: name.rawName) }
    self.init(name: name, value: value)
  }
}

extension HTTPField.Name {
  /// A field name that is text from elsewhere.
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
  /// Header fields from wherever they were kept.
  ///
  /// What swift-http-types decodes by itself traps on more fields than it can hold.
  ///
  /// - Throws: `DecodingError`, also for more fields than any message has, and for names that none can have.
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
  /// Whether this is `Host`, which swift-http-types keeps to itself. Most names have another length.
  package var isHost: Bool { rawName.utf8.count == 4 && canonicalName == "host" }
}

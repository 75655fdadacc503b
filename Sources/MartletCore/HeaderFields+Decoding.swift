package import HTTPTypes

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

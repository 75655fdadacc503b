import EssentialFoundation

/// A response serializer in an archive: the name of its type, and what it encodes.
struct ArchivedResponseSerializer: Codable {
  let serializer: any HTTPResponseSerializing & Codable

  /// Returns `nil` for a serializer that cannot be archived, or that has components which cannot.
  init?(_ serializer: any HTTPResponseSerializing) {
    guard let codable = serializer as? any HTTPResponseSerializing & Codable,
      ArchivedType.name(of: codable) != nil
    else { return nil }
    let components = (serializer as? CompoundResponseSerializer)?.components ?? []
    guard components.allSatisfy({ ArchivedResponseSerializer($0) != nil }) else { return nil }
    self.serializer = codable
  }

  init(from decoder: any Decoder) throws {
    let archived = try ArchivedType(from: decoder)
    guard let type = archived.type as? any (HTTPResponseSerializing & Codable).Type else {
      throw archived.problem("is not a response serializer")
    }
    serializer = try type.init(from: archived.settings)
  }

  func encode(to encoder: any Encoder) throws {
    try ArchivedType.encode(serializer, to: encoder)
  }
}

/// A request serializer in an archive: the name of its type, and what it encodes.
struct ArchivedRequestSerializer: Codable {
  let serializer: any HTTPRequestSerializing & Codable

  /// Returns `nil` for a serializer that cannot be archived.
  init?(_ serializer: any HTTPRequestSerializing) {
    guard let codable = serializer as? any HTTPRequestSerializing & Codable,
      ArchivedType.name(of: codable) != nil
    else { return nil }
    self.serializer = codable
  }

  init(from decoder: any Decoder) throws {
    let archived = try ArchivedType(from: decoder)
    guard let type = archived.type as? any (HTTPRequestSerializing & Codable).Type else {
      throw archived.problem("is not a request serializer")
    }
    serializer = try type.init(from: archived.settings)
  }

  func encode(to encoder: any Encoder) throws {
    try ArchivedType.encode(serializer, to: encoder)
  }
}

/// A value in an archive whose type is known by its name only.
///
/// The name is the mangled name, by which the runtime finds every type of the program, so that no type has to be
/// registered. The caller checks that the type is one that it expects.
private struct ArchivedType {
  private enum Key: CodingKey {
    case type, settings
  }

  let type: Any.Type
  let settings: any Decoder
  private let name: String
  private let path: [any CodingKey]

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    name = try values.decode(String.self, forKey: .type)
    path = decoder.codingPath
    guard Self.isName(name), let type = _typeByName(name) else {
      throw DecodingError.dataCorruptedError(
        forKey: .type, in: values,
        debugDescription: "This program has no type “\(name.masked)”.")
    }
    self.type = type
    settings = try values.superDecoder(forKey: .settings)
  }

  /// Whether a text can be a mangled name. Names with other characters would be read as addresses.
  private static func isName(_ text: String) -> Bool {
    (1...1000).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
  }

  /// Returns the name of the type of a value; `nil` for a type that is private or local, because its name is an address.
  static func name(of value: any Encodable) -> String? {
    _mangledTypeName(Swift.type(of: value)).flatMap { isName($0) ? $0 : nil }
  }

  static func encode(_ value: any Encodable, to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(name(of: value), forKey: .type)
    try value.encode(to: values.superEncoder(forKey: .settings))
  }

  func problem(_ reason: String) -> DecodingError {
    .dataCorrupted(
      .init(codingPath: path, debugDescription: "The type “\(name.masked)” \(reason)."))
  }
}

extension JSON: Codable {
  /// Decodes any value that JSON has a form for.
  ///
  /// - Throws: `DecodingError`, also for what lies more than 64 levels below the top of the body.
  public init(from decoder: any Decoder) throws {
    try decoder.checkDepth()
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(UInt64.self) {
      self = .unsigned(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if var list = try? decoder.unkeyedContainer() {
      // Not as `[JSON]`, because then what is wrong with an element would be forgotten here.
      var elements: [JSON] = []
      while !list.isAtEnd { elements.append(try list.decode(JSON.self)) }
      self = .array(elements)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }

  /// Encodes the value that it is.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .unsigned(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let elements): try container.encode(elements)
    case .object(let entries): try container.encode(entries)
    }
  }
}

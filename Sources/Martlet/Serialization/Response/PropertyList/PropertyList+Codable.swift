import Foundation

extension PropertyList: Codable {
  /// Decodes any value that a property list has a form for.
  ///
  /// - Throws: `DecodingError`, also for what lies more than 64 levels below the top of the body.
  public init(from decoder: any Decoder) throws {
    try decoder.checkDepth()
    let container = try decoder.singleValueContainer()
    if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(UInt64.self) {
      self = .unsigned(value)
    } else if let value = try? container.decode(Double.self) {
      self = .real(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode(Date.self) {
      self = .date(value)
    } else if let value = try? container.decode(Data.self) {
      self = .data(value)
    } else if var list = try? decoder.unkeyedContainer() {
      // Not as `[PropertyList]`, because then what is wrong with an element would be forgotten here.
      var elements: [PropertyList] = []
      while !list.isAtEnd { elements.append(try list.decode(PropertyList.self)) }
      self = .array(elements)
    } else {
      self = .dictionary(try container.decode([String: PropertyList].self))
    }
  }

  /// Encodes the value that it is.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .unsigned(let value): try container.encode(value)
    case .real(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .date(let value): try container.encode(value)
    case .data(let value): try container.encode(value)
    case .array(let elements): try container.encode(elements)
    case .dictionary(let entries): try container.encode(entries)
    }
  }
}

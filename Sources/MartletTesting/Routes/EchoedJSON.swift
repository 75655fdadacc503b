import EssentialFoundation
import HTTPTypes

/// A JSON value for Foundation's coders: the test servers do not use the library's own JSON code.
enum EchoedJSON: Codable {
  case null
  case bool(Bool)
  case whole(Int64)
  case number(Double)
  case text(String)
  case list([EchoedJSON])
  case object([String: EchoedJSON])

  /// The JSON value of a route's result.
  init(_ value: Any) throws {
    switch value {
    case let value as EchoedJSON: self = value
    case let value as Bool: self = .bool(value)
    case let value as any BinaryInteger: self = .whole(Int64(value))
    case let value as Double: self = .number(value)
    case let value as String: self = .text(value)
    case let values as [Any]: self = .list(try values.map { try EchoedJSON($0) })
    case let values as [String: Any]: self = .object(try values.mapValues { try EchoedJSON($0) })
    default: throw RouteError(status: .internalServerError, reason: "“\(value)” is no JSON value.")
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .whole(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let values = try? container.decode([EchoedJSON].self) {
      self = .list(values)
    } else {
      self = .object(try container.decode([String: EchoedJSON].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .whole(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .text(let value): try container.encode(value)
    case .list(let values): try container.encode(values)
    case .object(let values): try container.encode(values)
    }
  }

  /// The value as text, with the keys of objects sorted.
  func text(_ layout: JSONEncoder.OutputFormatting) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = layout.union([.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}

public import EssentialFoundation

/// The parameters of a request, for its query, form, JSON body or property list.
///
/// A literal can contain constants and variables of any type that is `Encodable` and `Sendable`, and `nil`. A single
/// value of such a type becomes parameters with ``encodable(_:)``.
///
///     let users: User = try await api.get("users", parameters: ["q": query, "page": page, "tags": tags, "after": nil])
///     let user: User = try await api.post("users", parameters: .encodable(NewUser(name: "Ada")))
///
/// A nested literal with values of several types needs its type, because Swift cannot infer it:
///
///     let parameters: Parameters = ["area": ["north": 54.5, "name": name] as Parameters, "limit": 20]
///
/// Names are sorted when they are written (REQ-Q8). If the `order` of a ``ParameterEncoding`` is `.insertion`, the
/// names keep the order of the literal or value. A nested literal without `as Parameters` is a Swift dictionary, which
/// has no order: its names are always sorted.
public enum Parameters: Sendable {
  /// Null: a name without a value in a query, `null` in JSON.
  case null
  /// `1` or `0` in a query (REQ-Q15).
  case bool(Bool)
  /// A whole number.
  case integer(Int64)
  /// A whole number that may be larger than `Int64.max`.
  case unsigned(UInt64)
  /// A number; whole ones are written without a fraction (REQ-Q15).
  case double(Double)
  /// Text.
  case string(String)
  /// A point in time: seconds since 1970 in a query, the output of the `JSONEncoder` in JSON, a date in a property
  /// list.
  case date(Date)
  /// Bytes: base64 in a query, the output of the `JSONEncoder` in JSON, unchanged in a multipart form and in a property
  /// list.
  case data(Data)
  /// Values in order: `a[]=1&a[]=2` in a query.
  case array([Parameters])
  /// Values without an order, which share one name: `a=1&a=2` in a query. JSON and property lists have
  /// no sets.
  case set([Parameters])
  /// Values with names, in no order.
  case dictionary([String: Parameters])
  /// Values with names, in this order. A dictionary literal becomes this case. If two values have the same name, a
  /// query contains both; JSON and property lists contain the later one.
  case ordered([(String, Parameters)])
  /// A value that encodes itself: as names and values in a query, by `JSONEncoder` in JSON, by
  /// `PropertyListEncoder` in a property list. At the top level it must be a value with names, such as a struct or a
  /// dictionary; a JSON body may also be an array.
  case encodable(any Encodable & Sendable)
}

extension Parameters: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
  /// A value in a literal; `nil` stands for null.
  public typealias Value = (any Encodable & Sendable)?

  /// Values with names, in this order. If two have the same name, the later value is used, in the
  /// position of the first.
  public init(dictionaryLiteral elements: (String, Value)...) {
    var positions: [String: Int] = [:]
    var entries: [(String, Parameters)] = []
    for (name, value) in elements {
      let entry = (name, Parameters(value: value))
      if let position = positions[name] {
        entries[position] = entry
      } else {
        positions[name] = entries.count
        entries.append(entry)
      }
    }
    self = .ordered(entries)
  }

  /// Values in order.
  public init(arrayLiteral elements: Value...) {
    self = .array(elements.map(Parameters.init(value:)))
  }

  /// The parameters for a value in a literal. Types with a case of their own need no encoder.
  private init(value: Value) {
    self =
      switch value {
      case nil: .null
      case let parameters as Parameters: parameters
      case let text as String: .string(text)
      case let number as Int: .integer(Int64(number))
      case let flag as Bool: .bool(flag)
      case let number as Double: .double(number)
      case let date as Date: .date(date)
      case let data as Data: .data(data)
      case let texts as [String]: .array(texts.map(Parameters.string))
      case let elements as [Parameters]: .array(elements)
      case let entries as [String: Parameters]: .dictionary(entries)
      case let value?: .encodable(value)
      }
  }
}

extension Parameters: Encodable {
  /// Encodes the value, so that parameters can be part of a literal and of other `Encodable` values. A set becomes an
  /// array.
  ///
  /// - Throws: What an `Encodable` value throws.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .null: try encoder.encodeValue { try $0.encodeNil() }
    case .bool(let value): try value.encode(to: encoder)
    case .integer(let value): try value.encode(to: encoder)
    case .unsigned(let value): try value.encode(to: encoder)
    case .double(let value): try value.encode(to: encoder)
    case .string(let value): try value.encode(to: encoder)
    case .date(let value): try encoder.encodeValue { try $0.encode(value) }
    case .data(let value): try encoder.encodeValue { try $0.encode(value) }
    case .array(let elements), .set(let elements): try elements.encode(to: encoder)
    case .dictionary(let entries): try entries.encode(to: encoder)
    case .ordered(let entries):
      var container = encoder.container(keyedBy: ParameterKey.self)
      for (name, value) in entries {
        try container.encode(value, forKey: ParameterKey(stringValue: name))
      }
    case .encodable(let value): try encoder.encodeValue { try $0.encode(value) }
    }
  }
}

extension Encoder {
  /// Encodes one value in the way that the encoder treats its type.
  fileprivate func encodeValue(_ encode: (inout any SingleValueEncodingContainer) throws -> Void)
    throws
  {
    var container = singleValueContainer()
    try encode(&container)
  }
}

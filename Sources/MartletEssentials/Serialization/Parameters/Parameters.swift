public import EssentialFoundation

/// The parameters of a request, for its query, form, JSON body or property list.
///
/// They are written as nested literals, or made from any `Encodable` value.
///
///     let page: Parameters = ["q": "terns", "tags": ["sea", "bird"], "strict": true, "after": nil]
///     let user = Parameters(encoding: NewUser(name: "Ada"))
///     let mixed: Parameters = ["user": .encodable(NewUser(name: "Ada")), "limit": 20]
///
/// Names are sorted when they are written (REQ-Q8). If the `order` of a ``ParameterEncoding`` is `.insertion`, the
/// names keep the order of the literal or value.
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
  /// `PropertyListEncoder` in a property list.
  case encodable(any Encodable & Sendable)

  /// Parameters from a value that encodes itself, such as a struct of your own.
  ///
  /// - Parameter value: At the top level, a value with names: a struct or a dictionary. A JSON body may also be an
  ///   array.
  public init(encoding value: some Encodable & Sendable) {
    self = .encodable(value)
  }

  /// Returns the parameters for a value that was passed to a function such as `get`; `nil` for an optional without a
  /// value.
  package static func given(_ value: some Encodable & Sendable) -> Parameters? {
    if let optional = value as? any OptionalProtocol, optional.wrapped == nil { return nil }
    return .encodable(value)
  }
}

extension Parameters: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
  /// Values with names, in this order. If two have the same name, the later value is used, at the position of the
  /// first.
  public init(dictionaryLiteral elements: (String, Parameters)...) {
    var places: [String: Int] = [:]
    var entries: [(String, Parameters)] = []
    for element in elements {
      if let place = places[element.0] {
        entries[place] = element
      } else {
        places[element.0] = entries.count
        entries.append(element)
      }
    }
    self = .ordered(entries)
  }

  /// Values in order.
  public init(arrayLiteral elements: Parameters...) {
    self = .array(elements)
  }
}

extension Parameters: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  /// Text.
  public init(stringLiteral value: String) {
    self = .string(value)
  }

  /// A whole number.
  public init(integerLiteral value: Int64) {
    self = .integer(value)
  }

  /// A number.
  public init(floatLiteral value: Double) {
    self = .double(value)
  }

  /// `true` or `false`.
  public init(booleanLiteral value: Bool) {
    self = .bool(value)
  }

  /// Null.
  public init(nilLiteral: ()) {
    self = .null
  }
}

/// An optional of any type.
package protocol OptionalProtocol {
  var wrapped: Any? { get }
}

extension Optional: OptionalProtocol {
  package var wrapped: Any? { map { $0 } }
}

public import EssentialFoundation

/// What goes into a request: into its query, its form, its JSON, or its property list.
///
/// Literals of any nesting are parameters, and so is anything that is `Encodable`.
///
///     let page: Parameters = ["q": "terns", "tags": ["sea", "bird"], "strict": true, "after": nil]
///     let user = Parameters(encoding: NewUser(name: "Ada"))
///     let mixed: Parameters = ["user": .encodable(NewUser(name: "Ada")), "limit": 20]
///
/// Names are sorted when they are written (REQ-Q8), unless the `order` of a ``ParameterEncoding`` has
/// them kept in the order in which literals and values have them.
public enum Parameters: Sendable {
  /// Nothing: a name without a value in a query, `null` in JSON.
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
  /// A moment: seconds since 1970 in a query, what the encoder makes of it in JSON, a date in a property
  /// list.
  case date(Date)
  /// Bytes: base64 in a query, what the encoder makes of them in JSON, themselves in a form of several
  /// parts and in a property list.
  case data(Data)
  /// Values in order: `a[]=1&a[]=2` in a query.
  case array([Parameters])
  /// Values without an order, which share one name: `a=1&a=2` in a query. JSON has no sets.
  case set([Parameters])
  /// Values with names, in no order.
  case dictionary([String: Parameters])
  /// Values with names, in this order; a dictionary literal is one. Of two with the same name both are
  /// written into a query; JSON and property lists take the later.
  case ordered([(String, Parameters)])
  /// A value that encodes itself: as names and values in a query, by `JSONEncoder` in JSON, by
  /// `PropertyListEncoder` in a property list.
  case encodable(any Encodable & Sendable)

  /// Parameters from a value that encodes itself, such as a struct of your own.
  ///
  /// - Parameter value: At the top level, something with names: a struct or a dictionary. JSON bodies
  ///   take arrays too.
  public init(encoding value: some Encodable & Sendable) {
    self = .encodable(value)
  }

  /// What a verb was given; an optional that holds nothing is none.
  package static func given(_ value: some Encodable & Sendable) -> Parameters? {
    if let optional = value as? any OptionalProtocol, optional.wrapped == nil { return nil }
    return .encodable(value)
  }
}

extension Parameters: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
  /// Values with names, in this order; of two with the same name the later counts, in the place of the
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

  /// Nothing.
  public init(nilLiteral: ()) {
    self = .null
  }
}

/// An optional, whatever it wraps.
package protocol OptionalProtocol {
  var wrapped: Any? { get }
}

extension Optional: OptionalProtocol {
  package var wrapped: Any? { map { $0 } }
}

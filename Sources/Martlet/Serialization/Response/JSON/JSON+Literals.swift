extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
  /// An object; of two entries with the same name the later counts.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(Dictionary(elements) { $1 })
  }

  /// An array.
  public init(arrayLiteral elements: JSON...) {
    self = .array(elements)
  }
}

extension JSON: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
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

  /// `true` or `false`
  public init(booleanLiteral value: Bool) {
    self = .bool(value)
  }

  /// `null`
  public init(nilLiteral: ()) {
    self = .null
  }
}

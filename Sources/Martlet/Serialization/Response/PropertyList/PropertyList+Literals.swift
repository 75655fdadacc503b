extension PropertyList: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
  /// A dictionary; of two entries with the same name the later counts.
  public init(dictionaryLiteral elements: (String, PropertyList)...) {
    self = .dictionary(Dictionary(elements) { $1 })
  }

  /// An array.
  public init(arrayLiteral elements: PropertyList...) {
    self = .array(elements)
  }
}

extension PropertyList: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
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
    self = .real(value)
  }

  /// `true` or `false`
  public init(booleanLiteral value: Bool) {
    self = .bool(value)
  }
}

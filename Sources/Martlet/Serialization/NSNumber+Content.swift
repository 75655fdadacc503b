import Foundation

extension NSNumber {
  /// What a number was before it was boxed.
  enum Content {
    case bool(Bool)
    case signed(Int64)
    case unsigned(UInt64)
    case floating(Double)
  }

  /// The number by its Objective-C type code. Booleans have that of `Int8` on Apple systems, and are told
  /// by what they are: there is one object for `true` and one for `false`.
  var content: Content {
    switch UInt8(bitPattern: objCType.pointee) {
    case UInt8(ascii: "c") where self === Self.true || self === Self.false: .bool(boolValue)
    case UInt8(ascii: "B"): .bool(boolValue)
    case UInt8(ascii: "Q"):
      uint64Value > UInt64(Int64.max) ? .unsigned(uint64Value) : .signed(int64Value)
    // By way of its text, so that 0.1 does not become 0.10000000149011612.
    case UInt8(ascii: "f"): .floating(Double(floatValue.description) ?? doubleValue)
    case UInt8(ascii: "d"): exactInteger ?? .floating(doubleValue)
    default: .signed(int64Value)
    }
  }

  private static let `true` = NSNumber(value: true)
  private static let `false` = NSNumber(value: false)

  /// Foundation reads some whole numbers near the ends of `Int64` as decimals.
  private var exactInteger: Content? {
    self is NSDecimalNumber ? Int64(stringValue).map(Content.signed) : nil
  }
}

extension Double {
  /// The number as text: `1` for 1.0, `0.1` for 0.1.
  var numberText: String {
    // Beyond 2⁵³ not every whole number exists, and digits would pretend a precision it lacks.
    guard magnitude < 0x1p53, self == rounded() else { return description }
    return String(Int64(self))
  }
}

import Foundation
import MartletEssentials

/// The kind and content of a value in an untyped tree, independent of its type.
///
/// `JSON`, `PropertyList` and `Parameters` are made from it, so that only this code has to recognize the many types of
/// numbers, text and collections.
enum UntypedValue {
  case null
  case bool(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case double(Double)
  case string(String)
  case array([Any])
  case set([Any])
  case dictionary([String: Any])
  /// Anything else.
  case other(Any)

  init(_ value: Any) {
    // The results of JSONSerialization are recognized by their type, because a failing cast is slow.
    let type = type(of: value)
    if type == String.self, let text = value as? String {
      self = .string(text)
    } else if type == [String: Any].self, let entries = value as? [String: Any] {
      self = .dictionary(entries)
    } else if type == [Any].self, let elements = value as? [Any] {
      self = .array(elements)
    } else {
      self = Self.leaf(value) ?? Self.container(value) ?? .other(value)
    }
  }

  private static func leaf(_ value: Any) -> UntypedValue? {
    switch value {
    case let number as NSNumber: boxed(number)
    case is NSNull: .null
    case let text as any StringProtocol: .string(String(text))
    case let text as NSString: .string(String(describing: text))
    case let number as any BinaryInteger: whole(number)
    case let number as any BinaryFloatingPoint: .double(Double(number))
    default: nil
    }
  }

  private static func container(_ value: Any) -> UntypedValue? {
    switch value {
    case let entries as [String: Any]: .dictionary(entries)
    case let elements as [Any]: .array(elements)
    case let set as Set<AnyHashable>: .set(set.map(\.base))
    case let optional as any OptionalProtocol: optional.wrapped.map { UntypedValue($0) } ?? .null
    default: nil
    }
  }

  private static func whole(_ number: some BinaryInteger) -> UntypedValue? {
    if let signed = Int64(exactly: number) { return .integer(signed) }
    return UInt64(exactly: number).map { .unsigned($0) }
  }

  private static func boxed(_ number: NSNumber) -> UntypedValue {
    switch number.content {
    case .bool(let value): .bool(value)
    case .signed(let value): .integer(value)
    case .unsigned(let value): .unsigned(value)
    case .floating(let value): .double(value)
    }
  }
}

extension NSNumber {
  /// The value of a number before it was boxed.
  enum Content {
    case bool(Bool)
    case signed(Int64)
    case unsigned(UInt64)
    case floating(Double)
  }

  /// The number by its Objective-C type code. On Apple systems, booleans have the type code of `Int8`. They are
  /// recognized by identity: there is one object for `true` and one for `false`.
  var content: Content {
    switch UInt8(bitPattern: objCType.pointee) {
    case UInt8(ascii: "c") where self === Self.true || self === Self.false: .bool(boolValue)
    case UInt8(ascii: "B"): .bool(boolValue)
    case UInt8(ascii: "Q"):
      uint64Value > UInt64(Int64.max) ? .unsigned(uint64Value) : .signed(int64Value)
    // Converted by way of its text, so that 0.1 does not become 0.10000000149011612.
    case UInt8(ascii: "f"): .floating(Double(floatValue.description) ?? doubleValue)
    case UInt8(ascii: "d"): exactInteger ?? .floating(doubleValue)
    default: .signed(int64Value)
    }
  }

  private static let `true` = NSNumber(value: true)
  private static let `false` = NSNumber(value: false)

  /// The whole number of a decimal: Foundation reads some whole numbers near the limits of `Int64` as decimals.
  private var exactInteger: Content? {
    self is NSDecimalNumber ? Int64(stringValue).map(Content.signed) : nil
  }
}

/// An optional of any type.
private protocol OptionalProtocol {
  var wrapped: Any? { get }
}

extension Optional: OptionalProtocol {
  fileprivate var wrapped: Any? { map { $0 } }
}

import Foundation

/// What a value of an untyped tree is, whatever type it comes in.
///
/// The one place that looks at types: both `JSON` and `Parameters` are made of it.
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
    // What JSONSerialization makes is told by its type, because a cast that fails is slow.
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
    case let optional as any Wrapping: optional.wrapped.map { UntypedValue($0) } ?? .null
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

public import Foundation
public import MartletEssentials

extension PropertyList {
  /// The value of an untyped tree, such as `PropertyListSerialization` returns.
  ///
  /// The tree may contain text, numbers, booleans, dates, data, `PropertyList`, and arrays and dictionaries of these.
  ///
  /// - Parameter any: The tree.
  /// - Throws: `MartletError` with code `.invalidParameters` when it contains a value that property lists cannot
  ///   represent, such as `NSNull`, a set or a URL.
  public init(_ any: Any) throws(MartletError) {
    switch UntypedValue(any) {
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .unsigned(let value): self = .unsigned(value)
    case .double(let value): self = .real(value)
    case .string(let text): self = .string(text)
    case .array(let elements):
      self = .array(
        try elements.map { element throws(MartletError) in try PropertyList(element) })
    case .dictionary(let entries): self = try .dictionary(of: entries)
    case .other(let value): self = try .leaf(value)
    case .null: throw .notPropertyListValue("null")
    case .set: throw .notPropertyListValue("a set")
    }
  }

  private static func dictionary(of entries: [String: Any]) throws(MartletError) -> PropertyList {
    var dictionary: [String: PropertyList] = [:]
    dictionary.reserveCapacity(entries.count)
    for (key, value) in entries { dictionary[key] = try PropertyList(value) }
    return .dictionary(dictionary)
  }

  private static func leaf(_ value: Any) throws(MartletError) -> PropertyList {
    switch value {
    case let date as Date: return .date(date)
    case let data as Data: return .data(data)
    case let list as PropertyList: return list
    default: throw .notPropertyListValue("a value of type \(type(of: value))")
    }
  }

  /// The same value as an untyped tree, such as `PropertyListSerialization` writes.
  public var any: Any {
    switch self {
    case .bool(let value): value
    case .integer(let value): value
    case .unsigned(let value): value
    case .real(let value): value
    case .string(let value): value
    case .date(let value): value
    case .data(let value): value
    case .array(let elements): elements.map(\.any)
    case .dictionary(let entries): entries.mapValues(\.any)
    }
  }
}

extension PropertyList {
  /// The value of a property list in XML, binary or OpenStep's format.
  ///
  /// - Parameter data: The property list; its format is detected.
  /// - Throws: `MartletError` with code `.decodingFailed` when it is malformed, is nested more than 512 deep or is a
  ///   keyed archive, or when it is binary and would need more memory than 100 times its size plus 1 MiB, or has a key
  ///   with more than 128 combining marks in sequence.
  public init(parsing data: Data) throws(MartletError) {
    if let binary = try BinaryPropertyList(data) {
      self = try binary.value()
      return
    }
    let tree: Any
    do {
      tree = try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
    } catch {
      throw .notPropertyList(underlying: error)
    }
    do throws(MartletError) {
      self = try PropertyList(tree)
    } catch {
      // The only values that Foundation reads and property lists cannot hold are the references of keyed archives.
      throw .keyedArchive
    }
  }

  /// Returns the value as a property list.
  ///
  /// - Parameter format: The format. The default is XML. OpenStep's format cannot be written.
  /// - Returns: The property list.
  /// - Throws: `MartletError` with code `.invalidParameters` when the format cannot be written.
  public func data(format: PropertyListSerialization.PropertyListFormat = .xml)
    throws(MartletError) -> Data
  {
    guard format != .openStep else { throw .openStepNotWritable }
    do {
      return try PropertyListSerialization.data(fromPropertyList: any, format: format, options: 0)
    } catch {
      throw .propertyListNotWritable(underlying: error)
    }
  }
}

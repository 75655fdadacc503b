public import Foundation

extension PropertyList {
  /// The value of a property list in XML, binary or OpenStep's format.
  ///
  /// - Parameter data: The property list; its format is detected.
  /// - Throws: `MartletError` with code `.decodingFailed` when it is malformed, nested more than 512
  ///   deep, or would be more than 100 times as large in memory.
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
    self = try PropertyList(tree)
  }

  /// The value as a property list.
  ///
  /// - Parameter format: The default is XML; OpenStep's format cannot be written.
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

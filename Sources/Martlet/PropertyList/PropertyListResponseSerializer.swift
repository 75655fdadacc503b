public import Foundation
public import MartletEssentials

/// Decodes property lists into a `PropertyList` value.
///
/// A body without bytes becomes `nil` (RES-P2 differs: there an empty body is an error).
public struct PropertyListResponseSerializer: HTTPResponseSerializing, Hashable, Codable {
  /// Which responses are acceptable. The default is 200 to 299 with one of `defaultContentTypes`.
  public var http = HTTPResponseSerializer(acceptableContentTypes: defaultContentTypes)
  private var formatCode: UInt
  private var options: UInt

  /// `application/x-plist`
  public static let defaultContentTypes: Set = ["application/x-plist"]

  /// A serializer.
  ///
  /// - Parameters:
  ///   - format: The expected format. The default is XML.
  ///   - readOptions: The options for reading. The default is none.
  public init(
    format: PropertyListSerialization.PropertyListFormat = .xml,
    readOptions: PropertyListSerialization.ReadOptions = []
  ) {
    formatCode = format.rawValue
    options = readOptions.rawValue
  }

  /// The expected format, kept for the application's own use: reading detects the format.
  public var format: PropertyListSerialization.PropertyListFormat {
    get { PropertyListSerialization.PropertyListFormat(rawValue: formatCode) ?? .xml }
    set { formatCode = newValue.rawValue }
  }

  /// The options for reading, kept for the application's own use: all of them concern mutable collections, and Swift's
  /// collections are mutable.
  public var readOptions: PropertyListSerialization.ReadOptions {
    get { PropertyListSerialization.ReadOptions(rawValue: options) }
    set { options = newValue.rawValue }
  }

  /// Decodes the value of the body; returns `nil` when the body is empty.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - data: Its body.
  /// - Returns: The value.
  /// - Throws: `MartletError`; see `decode(_:data:with:)`.
  public func serialize(_ response: Response, data: Data) throws -> PropertyList? {
    try decode(response, data: data) { try $0.isEmpty ? nil : PropertyList(parsing: $0) }
  }

  /// Returns the property list, or `nil` for a body without one.
  public func object(of output: PropertyList?) -> (any Sendable)? {
    output
  }
}

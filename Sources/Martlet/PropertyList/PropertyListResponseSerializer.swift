public import Foundation
public import MartletEssentials

/// Turns property lists into a `PropertyList` value.
///
/// A body without bytes becomes `nil` (in place of RES-P2, by which only a missing body does).
public struct PropertyListResponseSerializer: HTTPResponseSerializing, Hashable, Codable {
  /// Which responses are acceptable: by default 200 to 299 with one of `defaultContentTypes`.
  public var http = HTTPResponseSerializer(acceptableContentTypes: defaultContentTypes)
  private var formatCode: UInt
  private var options: UInt

  /// `application/x-plist`
  public static let defaultContentTypes: Set = ["application/x-plist"]

  /// A serializer.
  ///
  /// - Parameters:
  ///   - format: The format that is expected. The default is XML.
  ///   - readOptions: How to read. The default is no option.
  public init(
    format: PropertyListSerialization.PropertyListFormat = .xml,
    readOptions: PropertyListSerialization.ReadOptions = []
  ) {
    formatCode = format.rawValue
    options = readOptions.rawValue
  }

  /// The format that is expected, kept for the application's own use: reading detects the format.
  public var format: PropertyListSerialization.PropertyListFormat {
    get { PropertyListSerialization.PropertyListFormat(rawValue: formatCode) ?? .xml }
    set { formatCode = newValue.rawValue }
  }

  /// How to read, kept for the application's own use: what there is, is about collections that can be
  /// changed, and Swift's can.
  public var readOptions: PropertyListSerialization.ReadOptions {
    get { PropertyListSerialization.ReadOptions(rawValue: options) }
    set { options = newValue.rawValue }
  }

  /// The value of the body, or `nil` when there is none.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - data: Its body.
  /// - Returns: The value.
  /// - Throws: `MartletError`; see `decode(_:data:with:)`.
  public func serialize(_ response: Response, data: Data) throws -> PropertyList? {
    try decode(response, data: data) { try $0.isEmpty ? nil : PropertyList(parsing: $0) }
  }

  /// The property list, or no object for a body without any.
  public func object(of output: PropertyList?) -> (any Sendable)? {
    output
  }
}

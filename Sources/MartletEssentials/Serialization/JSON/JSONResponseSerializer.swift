public import EssentialFoundation

/// Turns JSON into a `JSON` value.
///
/// A body without bytes, or of a single blank, becomes `nil` (RES-J2).
public struct JSONResponseSerializer: HTTPResponseSerializing, Hashable, Codable {
  /// Which responses are acceptable: by default 200 to 299 with one of `defaultContentTypes`.
  public var http = HTTPResponseSerializer(acceptableContentTypes: defaultContentTypes)
  /// Whether entries and elements that are `null` are dropped. The default is false.
  public var removesKeysWithNullValues = false
  private var options: UInt

  /// `application/json`, `text/json` and `text/javascript`.
  public static let defaultContentTypes: Set = [
    "application/json", "text/json", "text/javascript",
  ]

  /// A serializer.
  ///
  /// - Parameter readingOptions: How to read. The default takes objects and arrays only.
  public init(readingOptions: JSON.ReadingOptions = []) {
    options = readingOptions.rawValue
  }

  /// How to read. The default takes objects and arrays only; `.fragmentsAllowed` any value.
  public var readingOptions: JSON.ReadingOptions {
    get { JSON.ReadingOptions(rawValue: options) }
    set { options = newValue.rawValue }
  }

  /// The value of the body, or `nil` when there is none.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - data: Its body.
  /// - Returns: The value.
  /// - Throws: `MartletError`; see `decode(_:data:with:)`.
  public func serialize(_ response: Response, data: Data) throws -> JSON? {
    try decode(response, data: data) { data in
      guard !data.isBlank else { return nil }
      let json = try JSON(parsing: data, options: readingOptions)
      return removesKeysWithNullValues ? json.removingNulls() : json
    }
  }

  /// The JSON, or no object for a body without any (RES-J2).
  public func object(of output: JSON?) -> (any Sendable)? {
    output
  }
}

extension Data {
  /// Whether there is nothing to decode: no byte, or the single blank that some server frameworks
  /// send when they mean none (RES-J2).
  var isBlank: Bool {
    isEmpty || (count == 1 && first == UInt8(ascii: " "))
  }
}

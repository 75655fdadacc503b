public import EssentialFoundation

/// Decodes JSON into a `JSON` value.
///
/// A body without bytes, or with only a single space, becomes `nil` (RES-J2).
public struct JSONResponseSerializer: HTTPResponseSerializing, Hashable, Codable {
  /// Which responses are acceptable. The default is 200 to 299 with one of `defaultContentTypes`.
  public var http = HTTPResponseSerializer(acceptableContentTypes: defaultContentTypes)
  /// Whether entries and elements that are `null` are removed. The default is false.
  public var removesKeysWithNullValues = false
  private var options: UInt

  /// `application/json`, `text/json`, `text/javascript`, and all types with the suffix `+json`, such as
  /// `application/problem+json` (RES-J1 differs: there it is only the first three).
  public static let defaultContentTypes: Set = [
    "application/json", "text/json", "text/javascript", "+json",
  ]

  /// A serializer.
  ///
  /// - Parameter readingOptions: The options for reading. The default accepts only objects and arrays.
  public init(readingOptions: JSON.ReadingOptions = []) {
    options = readingOptions.rawValue
  }

  /// The options for reading. The default accepts only objects and arrays; `.fragmentsAllowed` accepts any value.
  public var readingOptions: JSON.ReadingOptions {
    get { JSON.ReadingOptions(rawValue: options) }
    set { options = newValue.rawValue }
  }

  /// Decodes the value of the body; returns `nil` when the body is empty.
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

  /// Returns the JSON value, or `nil` for a body without JSON (RES-J2).
  public func object(of output: JSON?) -> (any Sendable)? {
    output
  }
}

extension Data {
  /// Whether there is nothing to decode: no byte, or only the single space that some server frameworks send as an empty
  /// body (RES-J2).
  var isBlank: Bool {
    isEmpty || (count == 1 && first == UInt8(ascii: " "))
  }
}

public import Foundation

/// Turns JSON into a value of a `Decodable` type.
///
///     let serializer = DecodableResponseSerializer<User>()
///
/// A body without bytes becomes `nil` when `Value` is an optional, and is an error when it is not.
public struct DecodableResponseSerializer<Value: Decodable & Sendable>: HTTPResponseSerializing {
  /// Which responses are acceptable: by default those that `JSONResponseSerializer` accepts.
  public var http: HTTPResponseSerializer
  /// Decodes the body. Set it up before you hand it over, and leave it alone from then on.
  public var decoder: JSONDecoder
  /// Says in place of `http` which responses are acceptable.
  private var validator: (any HTTPResponseSerializing)?

  /// A serializer.
  ///
  /// - Parameters:
  ///   - type: What to decode. The default is what the context asks for.
  ///   - http: Which responses are acceptable. The default is those with status 200 to 299 and JSON.
  ///   - decoder: The default is a plain `JSONDecoder`.
  public init(
    _ type: Value.Type = Value.self,
    http: HTTPResponseSerializer = JSONResponseSerializer().http,
    decoder: JSONDecoder = JSONDecoder()
  ) {
    self.http = http
    self.decoder = decoder
  }

  /// A serializer that accepts what another one does.
  init(validator: any HTTPResponseSerializing, decoder: JSONDecoder) {
    self.init(http: validator.http, decoder: decoder)
    self.validator = validator
  }

  /// Returns when the response is acceptable.
  ///
  /// - Throws: `MartletError` with code `.unacceptableStatusCode` or `.unacceptableContentType`.
  public func validate(_ response: Response, data: Data) throws {
    try (validator ?? http).validate(response, data: data)
  }

  /// The value that the body holds.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - data: Its body.
  /// - Returns: The value.
  /// - Throws: `MartletError` with code `.decodingFailed`, whose sentence names what is missing or
  ///   wrong, or one of those of `decode(_:data:with:)`.
  public func serialize(_ response: Response, data: Data) throws -> Value {
    try decode(response, data: data) { data in
      guard data.isBlank else { return try decoder.decode(Value.self, from: data) }
      guard let empty = (Value.self as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()),
        let value = empty as? Value
      else { throw MartletError.nothingToDecode(as: Value.self) }
      return value
    }
  }
}

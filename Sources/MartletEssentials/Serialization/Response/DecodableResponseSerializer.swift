public import EssentialFoundation
import MartletCore
import NIOCore

/// Decodes JSON, or another format that its decoder reads, into a value of a `Decodable` type.
///
///     let serializer = DecodableResponseSerializer<User>()
///     let other = DecodableResponseSerializer<User>(decoder: PropertyListDecoder())
///
/// A body without bytes, or with only a single space, becomes `nil` when `Value` is an optional, and `null` when
/// `Value` is ``JSON``. For other types it is an error.
///
/// The body of an error response usually has another structure than `Value`. So when the status is not acceptable, the
/// error is about the status, and the error about the structure is its `underlying`. AFNetworking has no rule for this,
/// because its decoders do not check the structure.
public struct DecodableResponseSerializer<Value: Decodable & Sendable>: HTTPResponseSerializing {
  /// Which responses are acceptable. The default is 200 to 299 with one of the decoder's content types.
  public var http: HTTPResponseSerializer
  /// The decoder of the body. Configure it before you pass it to the serializer, and do not change it afterwards.
  public var decoder: any DataDecoder
  /// Checks responses in place of `http`, if it is not `nil`, and makes the values if its own are of type `Value`.
  private var validator: (any HTTPResponseSerializing)?

  /// A serializer.
  ///
  /// - Parameters:
  ///   - type: The type of the value. The default is inferred from the context.
  ///   - http: Which responses are acceptable. The default, `nil`, means status 200 to 299 and the content types of the
  ///     decoder.
  ///   - decoder: The default is a plain `JSONDecoder`.
  public init(
    _ type: Value.Type = Value.self, http: HTTPResponseSerializer? = nil,
    decoder: any DataDecoder = JSONDecoder()
  ) {
    self.http = http ?? HTTPResponseSerializer(acceptableContentTypes: decoder.contentTypes)
    self.decoder = decoder
  }

  /// A serializer that accepts the same responses as `validator`, and returns its values if they are of type `Value`.
  init(validator: any HTTPResponseSerializing, decoder: any DataDecoder) {
    self.init(http: validator.http, decoder: decoder)
    self.validator = validator
  }

  /// Checks that the response is acceptable.
  ///
  /// - Throws: `MartletError` with code `.unacceptableStatusCode` or `.unacceptableContentType`.
  public func validate(_ response: Response, data: Data) throws {
    try (validator ?? http).validate(response, data: data)
  }

  /// Decodes the value of the body.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - data: Its body.
  /// - Returns: The value.
  /// - Throws: `MartletError` with code `.decodingFailed`, whose message names the missing or invalid value; or with
  ///   code `.unacceptableStatusCode` or `.unacceptableContentType`.
  public func serialize(_ response: Response, data: Data) throws -> Value {
    if let value = try validator?.value(Value.self, of: response, data: data) { return value }
    return try validateAndDecode(response, data, value(of:)) { rejection, failure in
      rejection.combined(with: failure)
    }
  }

  private func value(of data: Data) throws -> Value {
    guard data.isBlank else { return try decoder.decodeValue(Value.self, from: data) }
    guard let empty = (Value.self as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()),
      let value = empty as? Value
    else { throw MartletError.nothingToDecode(as: Value.self) }
    return value
  }
}

extension DecodableResponseSerializer: Equatable {
  /// Two serializers are equal when they accept the same responses and share one decoder object. The settings of
  /// decoders cannot be compared, because some are closures.
  public static func == (left: Self, right: Self) -> Bool {
    left.http == right.http && left.decoder === right.decoder
      && left.validator.isEqual(to: right.validator)
  }
}

extension HTTPResponseSerializing {
  /// Returns the serializer's own value, if it is of the given type; `nil` if it cannot be or is not.
  fileprivate func value<Value>(_ type: Value.Type, of response: Response, data: Data) throws
    -> Value?
  {
    guard Output.self == Value.self || Output.self == (any Sendable).self else { return nil }
    return try serialize(response, data: data) as? Value
  }
}

extension (any HTTPResponseSerializing)? {
  /// Whether both are equal, or both are `nil`.
  fileprivate func isEqual(to other: Self) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return (self as? any Equatable)?.equals(other) ?? false
  }
}

extension Equatable {
  fileprivate func equals(_ other: any Sendable) -> Bool {
    other as? Self == self
  }
}

extension Decoder {
  /// Checks that the depth in the body is not too large for a value of any type.
  ///
  /// Such a value tries one type after the other, and each failed attempt makes an error with the path to the value. In
  /// Foundation this takes time that grows with the square of the depth: one kilobyte with 500 levels would take ten
  /// seconds.
  ///
  /// - Throws: `DecodingError` at a depth of more than 64 levels.
  package func checkDepth() throws {
    guard codingPath.count > 64 else { return }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: [], debugDescription: "values of any type may nest at most 64 levels deep"))
  }
}

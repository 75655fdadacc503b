public import EssentialFoundation
import MartletCore
import NIOCore

/// Turns JSON, or what else its decoder reads, into a value of a `Decodable` type.
///
///     let serializer = DecodableResponseSerializer<User>()
///     let other = DecodableResponseSerializer<User>(decoder: PropertyListDecoder())
///
/// A body without bytes becomes `nil` when `Value` is an optional, and is an error when it is not.
///
/// Servers explain errors in another shape than the one that was asked for. So when the status is not
/// acceptable, the error is about the status, and about the shape only underneath (AFNetworking, whose
/// decoders know no shapes, has no rule for this).
public struct DecodableResponseSerializer<Value: Decodable & Sendable>: HTTPResponseSerializing {
  /// Which responses are acceptable: by default those of the decoder's content types.
  public var http: HTTPResponseSerializer
  /// Decodes the body. Set it up before you hand it over, and leave it alone from then on.
  public var decoder: any DataDecoder
  /// Says in place of `http` which responses are acceptable.
  private var validator: (any HTTPResponseSerializing)?

  /// A serializer.
  ///
  /// - Parameters:
  ///   - type: What to decode. The default is what the context asks for.
  ///   - http: Which responses are acceptable. The default, `nil`, stands for status 200 to 299 and the
  ///     content types of the decoder.
  ///   - decoder: The default is a plain `JSONDecoder`.
  public init(
    _ type: Value.Type = Value.self, http: HTTPResponseSerializer? = nil,
    decoder: any DataDecoder = JSONDecoder()
  ) {
    self.http = http ?? HTTPResponseSerializer(acceptableContentTypes: decoder.contentTypes)
    self.decoder = decoder
  }

  /// A serializer that accepts what another one does.
  init(validator: any HTTPResponseSerializing, decoder: any DataDecoder) {
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
    try validateAndDecode(response, data, value(of:)) { rejection, failure in
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
  /// Two serializers are equal when they accept alike and share one decoder, whose closures cannot be
  /// compared.
  public static func == (left: Self, right: Self) -> Bool {
    left.http == right.http && left.decoder === right.decoder
      && left.validator.isEqual(to: right.validator)
  }
}

extension (any HTTPResponseSerializing)? {
  /// Whether both are the same, or none.
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

extension DecodableResponseSerializer {
  /// Decodes a response, away from the caller's actor and from an engine's thread when the body
  /// is large.
  func value(of response: Response) async throws -> Value {
    let bytes = try await response.body.collect()
    guard !bytes.isLargeBody else {
      return try await runOnGlobalExecutor { try await largeValue(of: response, bytes) }
    }
    return try value(of: response, data: Data(bytes.readableBytesView))
  }

  @concurrent
  private func largeValue(of response: Response, _ bytes: ByteBuffer) async throws -> Value {
    try value(of: response, data: Data(bytes.readableBytesView))
  }
}

extension Decoder {
  /// Returns when the place in the body is not too deep for a value of any type.
  ///
  /// Such a value tries one type after the other, and each failure tells the way down to it, which takes
  /// Foundation the square of the depth: a kilobyte with 500 levels would take ten seconds.
  ///
  /// - Throws: `DecodingError` below 64 levels.
  package func checkDepth() throws {
    guard codingPath.count > 64 else { return }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: [], debugDescription: "values of any type are taken up to 64 levels deep"))
  }
}

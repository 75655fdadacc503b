public import EssentialFoundation
import NIOCore

/// Puts parameters into a JSON body; queries and headers are those of `HTTPRequestSerializer`.
///
///     let serializer = JSONRequestSerializer(writingOptions: .sortedKeys)
///     let request = try serializer.request(
///       method: .post, urlString: "https://example.com/birds", parameters: ["name": "tern"])
public struct JSONRequestSerializer: HTTPRequestSerializing, Equatable {
  /// Default headers, request options and the encoding of queries.
  public var http = HTTPRequestSerializer()
  /// The layout of the JSON. The default is compact.
  public var writingOptions: JSONEncoder.OutputFormatting
  private var encoderMaker: FunctionReference<@Sendable () -> JSONEncoder>?

  /// A serializer.
  ///
  /// - Parameter writingOptions: The layout of the JSON. The default is compact.
  public init(writingOptions: JSONEncoder.OutputFormatting = []) {
    self.writingOptions = writingOptions
  }

  /// Creates the encoder for `Encodable` values, for example with custom strategies for dates and keys. The default is
  /// a plain `JSONEncoder`. `writingOptions` are added to the encoder's own options.
  ///
  /// Serializers with a custom `makeEncoder` are equal only when one is a copy of the other.
  public var makeEncoder: @Sendable () -> JSONEncoder {
    get {
      guard let encoderMaker else { return { JSONEncoder() } }
      return encoderMaker.call
    }
    set { encoderMaker = FunctionReference(newValue) }
  }

  /// Whether `makeEncoder` has been set.
  var hasOwnEncoder: Bool { encoderMaker != nil }

  /// Returns a copy of `request` with the default headers, and with the parameters as its JSON body.
  ///
  /// For methods in `http.methodsEncodingParametersInURL`, the parameters become a query instead (REQ-J1). A custom
  /// query style does not affect bodies (REQ-J7).
  ///
  /// - Parameters:
  ///   - request: The request, which is not changed.
  ///   - parameters: A dictionary or an array, or a value that encodes as one. With `nil` the body is not changed
  ///     (REQ-J3).
  /// - Returns: The request to send.
  /// - Throws: `MartletError` with code `.invalidJSONParameters` for sets, for numbers that are not finite, and when
  ///   the top level is neither a dictionary nor an array (REQ-J5); with code `.invalidParameters` when a value cannot
  ///   be encoded (REQ-J6). For a query, the errors are those of `HTTPRequestSerializer`.
  public func serialize(_ request: consuming Request, parameters: Parameters?) throws -> Request {
    try http.serialize(request, parameters: parameters, as: .jsonContentType) {
      .bytes(try text(of: $0))
    }
  }

  private func text(of parameters: Parameters) throws(MartletError) -> ByteBuffer {
    if case .encodable(let value) = parameters {
      let data = try encode(value)
      guard data.isJSONContainer else { throw .invalidJSONParameters }
      return ByteBuffer(bytes: data)
    }
    let json = try json(from: parameters)
    guard json.isContainer else { throw .invalidJSONParameters }
    return ByteBuffer(bytes: JSONWriter.write(json, options: writingOptions))
  }

  /// REQ-J5: only values that are valid JSON.
  private func json(from parameters: Parameters) throws(MartletError) -> JSON {
    switch parameters {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .unsigned(let value): return .unsigned(value)
    case .string(let value): return .string(value)
    case .double(let value):
      guard value.isFinite else { throw .invalidJSONParameters }
      return .double(value)
    case .set: throw .invalidJSONParameters
    case .array(let elements):
      return .array(try elements.map { element throws(MartletError) in try json(from: element) })
    case .dictionary(let entries):
      var object: [String: JSON] = [:]
      for (key, value) in entries { object[key] = try json(from: value) }
      return .object(object)
    case .ordered(let entries):
      var object: [String: JSON] = [:]
      for (key, value) in entries { object[key] = try json(from: value) }
      return .object(object)
    case .date(let value): return try JSON(parsing: encode(value), options: .fragmentsAllowed)
    case .data(let value): return try JSON(parsing: encode(value), options: .fragmentsAllowed)
    case .encodable(let value):
      return try JSON(parsing: encode(value), options: .fragmentsAllowed)
    }
  }

  private func encode(_ value: any Encodable) throws(MartletError) -> Data {
    let encoder = makeEncoder()
    encoder.outputFormatting.formUnion(writingOptions)
    do {
      return try encoder.encode(value)
    } catch let error as EncodingError where error.isAboutNumber {
      var invalid = MartletError.invalidJSONParameters
      invalid.underlying = error
      throw invalid
    } catch {
      throw .parametersNotEncodable(as: type(of: value), underlying: error)
    }
  }
}

extension HTTPField {
  fileprivate static let jsonContentType = HTTPField(name: .contentType, value: "application/json")
}

extension Data {
  /// Whether the JSON text is an array or an object.
  fileprivate var isJSONContainer: Bool {
    first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }
}

extension EncodingError {
  /// Whether the value that cannot be encoded is a number.
  fileprivate var isAboutNumber: Bool {
    if case .invalidValue(let value, _) = self { value is any BinaryFloatingPoint } else { false }
  }
}

/// Encodes everything except `makeEncoder`, which is a closure. A decoded serializer has the default one (REQ-J8).
extension JSONRequestSerializer: Codable {
  private enum Key: CodingKey {
    case http, writingOptions
  }

  /// Decodes a serializer.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init(
      writingOptions: JSONEncoder.OutputFormatting(
        rawValue: try values.decode(UInt.self, forKey: .writingOptions)))
    http = try values.decode(HTTPRequestSerializer.self, forKey: .http)
  }

  /// Encodes the serializer.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(http, forKey: .http)
    try values.encode(writingOptions.rawValue, forKey: .writingOptions)
  }
}

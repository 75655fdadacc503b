public import Foundation
public import MartletEssentials

/// Puts parameters into a property list; queries and headers are those of `HTTPRequestSerializer`.
///
///     let serializer = PropertyListRequestSerializer(format: .binary)
///     let request = try serializer.request(
///       method: .post, urlString: "https://example.com/birds",
///       parameters: ["name": "tern", "seen": .date(Date())])
public struct PropertyListRequestSerializer: HTTPRequestSerializing, Equatable {
  /// Default headers, request options and the encoding of queries.
  public var http = HTTPRequestSerializer()
  /// The format of the property list. The default is XML (REQ-P4 differs: there plain `init` sets an invalid format).
  public var format: PropertyListSerialization.PropertyListFormat

  /// A serializer.
  ///
  /// - Parameter format: The format of the property list: `.xml` or `.binary`. The default is XML.
  public init(format: PropertyListSerialization.PropertyListFormat = .xml) {
    self.format = format
  }

  /// Returns a copy of `request` with the default headers, and with the parameters as the property list of its body.
  ///
  /// For methods in `http.methodsEncodingParametersInURL`, the parameters become a query instead (REQ-P1).
  ///
  /// - Parameters:
  ///   - request: The request, which is not changed.
  ///   - parameters: The parameters. With `nil` the body is not changed.
  /// - Returns: The request to send. Its content type is `application/x-plist`, unless it had one.
  /// - Throws: `MartletError` with code `.invalidParameters` for null and sets, which property lists do not have, for
  ///   values that cannot be encoded (REQ-P3), and for the OpenStep format. For a query, the errors are those of
  ///   `HTTPRequestSerializer`.
  public func serialize(_ request: consuming Request, parameters: Parameters?) throws -> Request {
    try http.serialize(request, parameters: parameters, as: .propertyListContentType) {
      .data(try data(of: $0))
    }
  }

  private func data(of parameters: Parameters) throws(MartletError) -> Data {
    guard format != .openStep else { throw .propertyListFormatNotWritable }
    let list = try parameters.propertyList(at: "")
    do {
      return try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
    } catch {
      throw .parametersNotEncodable(as: Parameters.self, underlying: error)
    }
  }
}

extension HTTPField {
  fileprivate static let propertyListContentType = HTTPField(
    name: .contentType, value: "application/x-plist")
}

/// Encodes everything except a custom query style, which is a closure (REQ-P5).
extension PropertyListRequestSerializer: Codable {
  private enum Key: CodingKey {
    case http, format
  }

  /// Decodes a serializer.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    let number = try values.decode(UInt.self, forKey: .format)
    guard let format = PropertyListSerialization.PropertyListFormat(rawValue: number) else {
      throw DecodingError.dataCorruptedError(
        forKey: .format, in: values, debugDescription: "\(number) is not a property list format.")
    }
    self.init(format: format)
    http = try values.decode(HTTPRequestSerializer.self, forKey: .http)
  }

  /// Encodes the serializer.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(http, forKey: .http)
    try values.encode(format.rawValue, forKey: .format)
  }
}

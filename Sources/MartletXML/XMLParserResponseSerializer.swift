public import Foundation
public import Martlet

/// Turns XML into a source of events, which the application reads at leisure.
///
/// Nothing is read here: whether the body is XML comes out when its events are read (RES-X2).
public struct XMLParserResponseSerializer: HTTPResponseSerializing, Hashable, Codable {
  /// Which responses are acceptable: by default 200 to 299 with one of `defaultContentTypes`.
  public var http = HTTPResponseSerializer(acceptableContentTypes: defaultContentTypes)

  /// `application/xml` and `text/xml`.
  public static let defaultContentTypes: Set = ["application/xml", "text/xml"]

  /// A serializer.
  public init() {}

  /// The events of the body, whatever it is.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - data: Its body.
  /// - Returns: The events, of which none has been read.
  /// - Throws: `MartletError` with code `.unacceptableStatusCode`, whose `object` are the events, or
  ///   `.unacceptableContentType`.
  public func serialize(_ response: Response, data: Data) throws -> XMLEvents {
    try decode(response, data: data) { XMLEvents($0, charset: response.charset) }
  }
}

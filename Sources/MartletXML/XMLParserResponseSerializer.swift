public import Foundation
public import MartletEssentials

/// Turns XML into a source of events, which the application reads later.
///
/// The body is not parsed here. If it is not XML, an error is thrown when its events are read (RES-X2).
public struct XMLParserResponseSerializer: HTTPResponseSerializing, Hashable, Codable {
  /// Which responses are acceptable: by default 200 to 299 with one of `defaultContentTypes`.
  public var http = HTTPResponseSerializer(acceptableContentTypes: defaultContentTypes)

  /// `application/xml` and `text/xml`.
  public static let defaultContentTypes: Set = ["application/xml", "text/xml"]

  /// A serializer.
  public init() {}

  /// The events of the body, which need not be valid XML.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - data: Its body.
  /// - Returns: The events, none of which has been read.
  /// - Throws: `MartletError` with code `.unacceptableStatusCode`, whose `object` holds the events, or
  ///   `.unacceptableContentType`.
  public func serialize(_ response: Response, data: Data) throws -> XMLEventSource {
    try decode(response, data: data) { XMLEventSource($0, charset: response.charset) }
  }
}

/// Turns XML into a tree of elements.
///
/// An empty body is an error, because it has no element (RES-D1).
public struct XMLDocumentResponseSerializer: HTTPResponseSerializing, Hashable, Codable {
  /// Which responses are acceptable: by default 200 to 299 with one of
  /// `XMLParserResponseSerializer.defaultContentTypes`.
  public var http = XMLParserResponseSerializer().http
  /// The parts that are kept besides elements and their text. The default is none.
  public var options: XML.ReadingOptions

  /// A serializer.
  ///
  /// - Parameter options: The parts that are kept besides elements and their text. The default is none.
  public init(options: XML.ReadingOptions = []) {
    self.options = options
  }

  /// The root element of the document.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - data: Its body.
  /// - Returns: The root element.
  /// - Throws: `MartletError`; see `decode(_:data:with:)`.
  public func serialize(_ response: Response, data: Data) throws -> XML {
    try decode(response, data: data) { data in
      try XML(parsing: data, charset: response.charset, options: options)
    }
  }
}

public import Foundation
public import Martlet

/// Turns XML into a tree of elements.
///
/// An empty body is an error, because it has no element (RES-D1).
public struct XMLDocumentResponseSerializer: HTTPResponseSerializing, Hashable, Codable {
  /// Which responses are acceptable: by default 200 to 299 with one of
  /// `XMLParserResponseSerializer.defaultContentTypes`.
  public var http = XMLParserResponseSerializer().http
  /// What is kept besides elements and their text. The default is nothing.
  public var options: XML.ReadingOptions

  /// A serializer.
  ///
  /// - Parameter options: What is kept besides elements and their text. The default is nothing.
  public init(options: XML.ReadingOptions = []) {
    self.options = options
  }

  /// The element of the document.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - data: Its body.
  /// - Returns: The element.
  /// - Throws: `MartletError`; see `decode(_:data:with:)`.
  public func serialize(_ response: Response, data: Data) throws -> XML {
    try decode(response, data: data) { data in
      try XML(parsing: data, charset: response.charset, options: options)
    }
  }
}

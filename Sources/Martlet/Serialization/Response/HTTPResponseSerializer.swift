public import Foundation

/// Checks the status and the content type of a response, and leaves its body as it is.
///
/// The default accepts status codes 200 to 299 and any content type.
public struct HTTPResponseSerializer: HTTPResponseSerializing, Hashable, Codable {
  var statusCodes: IndexSet?
  var contentTypes: Set<String>?

  /// 200 to 299.
  public static let successfulStatusCodes = IndexSet(200...299)

  /// A serializer that accepts what it is given.
  ///
  /// - Parameters:
  ///   - acceptableStatusCodes: `nil` accepts all. The default is 200 to 299.
  ///   - acceptableContentTypes: In lower case and without parameters; `nil`, the default, accepts
  ///     all.
  public init(
    acceptableStatusCodes: IndexSet? = successfulStatusCodes,
    acceptableContentTypes: Set<String>? = nil
  ) {
    statusCodes = acceptableStatusCodes
    contentTypes = acceptableContentTypes
  }

  /// This serializer itself.
  public var http: HTTPResponseSerializer {
    get { self }
    set { self = newValue }
  }

  /// The body as it is.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - data: Its body.
  /// - Returns: `data`.
  /// - Throws: `MartletError` with code `.unacceptableStatusCode` or `.unacceptableContentType`; its
  ///   `object` is `data` all the same (RES-B1).
  public func serialize(_ response: Response, data: Data) throws -> Data {
    guard var error = validation(of: response, data: data).error else { return data }
    error.object = data
    throw error
  }
}

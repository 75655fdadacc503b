public import EssentialFoundation

/// Converts a response into a value.
public protocol ResponseSerializing<Output>: Sendable {
  /// The type of the value.
  associatedtype Output: Sendable

  /// Returns the value of a response.
  ///
  /// - Parameters:
  ///   - response: The response. Its body may already have been consumed.
  ///   - data: The whole body, which may be empty.
  /// - Returns: The value.
  /// - Throws: `MartletError`. An error of another type becomes the `underlying` of one with code `.decodingFailed`.
  func serialize(_ response: Response, data: Data) throws -> Output

  /// Returns the object that untyped closures receive for a value; `nil` means no object.
  ///
  /// The default is the value itself. A serializer whose output is an optional unwraps it here.
  func object(of output: Output) -> (any Sendable)?
}

/// A response serializer that checks status and content type before it decodes.
///
/// A custom serializer needs few lines:
///
///     struct LinesSerializer: HTTPResponseSerializing {
///       var http = HTTPResponseSerializer(acceptableContentTypes: ["text/plain"])
///
///       func serialize(_ response: Response, data: Data) throws -> [Substring] {
///         try decode(response, data: data) { data in
///           try TextResponseSerializer().text(of: data, in: response).split(separator: "\n")
///         }
///       }
///     }
public protocol HTTPResponseSerializing<Output>: ResponseSerializing {
  /// Which responses are acceptable.
  var http: HTTPResponseSerializer { get set }

  /// Checks that the response is acceptable. The default uses `http`.
  ///
  /// - Throws: `MartletError` with code `.unacceptableStatusCode` or `.unacceptableContentType`.
  func validate(_ response: Response, data: Data) throws
}

extension HTTPResponseSerializing {
  /// The status codes that are acceptable; `nil` accepts all.
  public var acceptableStatusCodes: Set<Int>? {
    get { http.statusCodes }
    set { http.statusCodes = newValue }
  }

  /// The content types that are acceptable, in lower case and without parameters; `nil` accepts all. An entry such as
  /// `+json` stands for all types with this suffix (RFC 6839).
  public var acceptableContentTypes: Set<String>? {
    get { http.contentTypes }
    set { http.contentTypes = newValue }
  }

  /// Checks that status and content type are acceptable.
  ///
  /// - Throws: `MartletError` with code `.unacceptableStatusCode` or `.unacceptableContentType`.
  public func validate(_ response: Response, data: Data) throws {
    if let error = http.validation(of: response, data: data).error { throw error }
  }
}

extension ResponseSerializing {
  /// Returns the value itself.
  public func object(of output: Output) -> (any Sendable)? {
    output
  }
}

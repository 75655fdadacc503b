public import EssentialFoundation

/// Puts parameters into a request.
public protocol RequestSerializing: Sendable {
  /// A copy of `request` that carries the parameters, and whatever else the serializer adds.
  ///
  /// - Parameters:
  ///   - request: Stays as it is (REQ-H16).
  ///   - parameters: `nil` for none, which is not the same as an empty dictionary.
  /// - Returns: The request to send.
  /// - Throws: `MartletError`, or what a closure of yours throws.
  func serialize(_ request: Request, parameters: Parameters?) throws -> Request
}

/// A request serializer that rests on the one for HTTP, with its default headers and options.
public protocol HTTPRequestSerializing: RequestSerializing {
  /// Default headers, request options and the encoding of queries.
  var http: HTTPRequestSerializer { get set }
}

extension HTTPRequestSerializing {
  /// Builds a request from its parts (REQ-H15).
  ///
  /// The options that are set are copied first, then the parameters are put in.
  ///
  /// - Parameters:
  ///   - method: The method, sent as it is.
  ///   - urlString: An absolute URL. What is escaped in it stays so, as in `URL(escaping:)`.
  ///   - parameters: `nil` for none.
  /// - Returns: The request to send.
  /// - Throws: `MartletError` with code `.invalidURL` when that is no URL, or what
  ///   `serialize(_:parameters:)` throws.
  public func request(method: HTTPRequest.Method, urlString: String, parameters: Parameters?) throws
    -> Request
  {
    try request(method: method, url: try URL(escaping: urlString), parameters: parameters)
  }

  /// Builds a request from its parts; see `request(method:urlString:parameters:)`.
  ///
  /// - Parameters:
  ///   - method: The method, sent as it is.
  ///   - url: An absolute URL.
  ///   - parameters: `nil` for none.
  /// - Returns: The request to send.
  /// - Throws: What `serialize(_:parameters:)` throws.
  public func request(method: HTTPRequest.Method, url: URL, parameters: Parameters?) throws
    -> Request
  {
    try completed(Request(method, url: url), parameters: parameters)
  }

  /// The request with the options that are set, and the parameters.
  func completed(_ request: Request, parameters: Parameters?) throws -> Request {
    var request = request
    http.copyOptions(to: &request)
    return try serialize(request, parameters: parameters)
  }
}

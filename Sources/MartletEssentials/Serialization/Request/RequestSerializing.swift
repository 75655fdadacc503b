public import EssentialFoundation

/// Puts parameters into a request.
public protocol RequestSerializing: Sendable {
  /// Returns a copy of `request` with the parameters, and with everything else that the serializer adds.
  ///
  /// - Parameters:
  ///   - request: The request, which is not changed (REQ-H16).
  ///   - parameters: The parameters. `nil` means none, which is not the same as an empty dictionary.
  /// - Returns: The request to send.
  /// - Throws: `MartletError`, or what a closure of the application throws.
  func serialize(_ request: consuming Request, parameters: Parameters?) throws -> Request
}

/// A request serializer that uses the default headers and options of an `HTTPRequestSerializer`.
public protocol HTTPRequestSerializing: RequestSerializing {
  /// Default headers, request options and the encoding of queries.
  var http: HTTPRequestSerializer { get set }
}

extension HTTPRequestSerializing {
  /// Builds a request from its parts (REQ-H15).
  ///
  /// The options that are set are copied first. Then the parameters are added.
  ///
  /// - Parameters:
  ///   - method: The method, sent as it is.
  ///   - urlString: An absolute URL. Percent-encoded characters are kept, as in `URL(escaping:)`.
  ///   - parameters: The parameters; `nil` for none.
  /// - Returns: The request to send.
  /// - Throws: `MartletError` with code `.invalidURL` when `urlString` is not a URL, or what `serialize(_:parameters:)`
  ///   throws.
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
  ///   - parameters: The parameters; `nil` for none.
  /// - Returns: The request to send.
  /// - Throws: What `serialize(_:parameters:)` throws.
  public func request(method: HTTPRequest.Method, url: URL, parameters: Parameters?) throws
    -> Request
  {
    try completed(Request(method, url: url), parameters: parameters)
  }

  /// Returns the request with the options that are set, and with the parameters.
  func completed(_ request: consuming Request, parameters: Parameters?) throws -> Request {
    http.copyOptions(to: &request)
    return try serialize(request, parameters: parameters)
  }

  /// Returns the request with the options and default headers that are set, with a body of its own and its media type,
  /// and with the parameters in its query.
  ///
  /// - Throws: What the serialization of the query throws; `MartletError` with code `.invalidHeader` for the media type
  ///   of the body.
  func completed(_ request: Request, parameters: Parameters?, body: RequestContent) throws
    -> Request
  {
    var serializer = http
    serializer.methodsEncodingParametersInURL.insert(request.method)
    var request = try serializer.completed(request, parameters: parameters)
    request.body = body.body
    request.headers[fields: .contentType] = [
      try HTTPField(validating: "Content-Type", value: body.contentType)
    ]
    return request
  }
}

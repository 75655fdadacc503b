import EssentialFoundation

extension HTTPRequestSerializer {
  /// Returns the value of the default header with this name; `nil` if there is none.
  public func value(forHTTPHeaderField name: String) -> String? {
    HTTPField.Name(name).flatMap { httpRequestHeaders[$0] }
  }

  /// Sets the default header with this name, or removes it.
  ///
  /// - Parameters:
  ///   - value: The new value; `nil` removes the field.
  ///   - name: The case of letters does not matter.
  /// - Throws: `MartletError` with code `.invalidHeader` for a name or value that is not allowed in a header.
  public mutating func setValue(_ value: String?, forHTTPHeaderField name: String)
    throws(MartletError)
  {
    guard let value else {
      httpRequestHeaders[try HTTPField.Name(validating: name)] = nil
      return
    }
    try httpRequestHeaders.set(name: name, value: value)
  }

  /// Sets the default header `Authorization`, so that a user's name and password are sent with every request (RFC
  /// 7617).
  ///
  /// - Parameters:
  ///   - username: Must not contain a colon, because a server reads it as the end of the name (REQ-H7).
  ///   - password: Sent as base64, which is not encryption: use https.
  public mutating func setAuthorization(username: String, password: String) {
    let credentials = Data("\(username):\(password)".utf8).base64EncodedString()
    httpRequestHeaders[.authorization] = "Basic \(credentials)"
  }

  /// Removes `Authorization` from the default headers.
  public mutating func clearAuthorization() {
    httpRequestHeaders[.authorization] = nil
  }
}

/// Functions for the serializers that use this one.
extension HTTPRequestSerializer {
  /// Adds each default header that the request does not have yet (REQ-H17).
  package func addDefaultHeaders(to request: inout Request) {
    guard !request.headers.isEmpty else {
      request.headers = httpRequestHeaders
      return
    }
    for field in httpRequestHeaders where !request.headers.contains(field.name) {
      request.headers.append(field)
    }
  }

  /// Returns the request with the default headers, and with the parameters in its body. If its method has them in the URL, this
  /// serializer puts them there.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - parameters: The parameters. With `nil` the body is not changed.
  ///   - contentType: The field of the body, unless the request has one.
  ///   - body: Encodes the parameters.
  /// - Returns: The request to send.
  /// - Throws: What `body` throws, or the encoding of the query.
  package func serialize(
    _ request: consuming Request, parameters: Parameters?, as contentType: HTTPField,
    _ body: (Parameters) throws -> RequestBody
  ) throws -> Request {
    guard !encodesParametersInURL(request.method) else {
      return try serialize(request, parameters: parameters)
    }
    addDefaultHeaders(to: &request)
    guard let parameters else { return request }
    if !request.headers.contains(.contentType) { request.headers.append(contentType) }
    request.body = try body(parameters)
    return request
  }

  /// Whether the parameters of a request with this method are put into its URL (REQ-H20).
  package func encodesParametersInURL(_ method: HTTPRequest.Method) -> Bool {
    // They are few: comparing them takes less time than a hash.
    let method = method.upperCased
    return methodsEncodingParametersInURL.contains { $0 == method }
  }

  /// Copies the options that are set. The others are not changed (REQ-H10).
  func copyOptions(to request: inout Request) {
    if let allowsCellularAccess { request.options.allowsCellularAccess = allowsCellularAccess }
    if let cachePolicy { request.options.cachePolicy = cachePolicy }
    if let shouldHandleCookies { request.options.shouldHandleCookies = shouldHandleCookies }
    if let shouldUsePipelining { request.options.shouldUsePipelining = shouldUsePipelining }
    if let networkServiceType { request.options.networkServiceType = networkServiceType }
    if let timeoutInterval { request.options.timeoutInterval = timeoutInterval }
  }
}

extension HTTPRequest.Method {
  fileprivate var upperCased: HTTPRequest.Method {
    guard rawValue.utf8.contains(where: { (0x61...0x7A).contains($0) }) else { return self }
    return HTTPRequest.Method(rawValue.uppercased()) ?? self
  }
}

extension URL {
  /// Returns the URL with `text`, which is not empty, at the end of its query and before its fragment (REQ-H22 differs:
  /// there the text is appended to the fragment).
  ///
  /// - Throws: `MartletError` with code `.invalidParameters` when the text cannot be part of a URL (REQ-H23 differs:
  ///   there the URL is lost without an error).
  func appending(queryText text: String) throws(MartletError) -> URL {
    let whole = absoluteString
    let end = whole.utf8.firstIndex(of: UInt8(ascii: "#")) ?? whole.endIndex
    var joined = String(whole[..<end])
    joined += whole[..<end].querySeparator
    joined += text
    joined += whole[end...]
    guard let url = URL(string: joined, encodingInvalidCharacters: false) else {
      throw .queryNotUsable(text)
    }
    return url
  }
}

extension Substring {
  /// The separator between this URL, which has no fragment, and the text that is appended to its query.
  fileprivate var querySeparator: String {
    guard let start = utf8.firstIndex(of: UInt8(ascii: "?")) else { return "?" }
    let query = utf8[utf8.index(after: start)...]
    return query.isEmpty || query.last == UInt8(ascii: "&") ? "" : "&"
  }
}

public import EssentialFoundation

/// Requests with multipart forms.
extension HTTPRequestSerializing {
  /// Builds a request whose body is a multipart form.
  ///
  /// The request has the default headers and the options that are set (REQ-M2). If the form has no parts, the request
  /// is the same as one without parameters (REQ-M19).
  ///
  /// - Parameters:
  ///   - method: The method, sent as it is.
  ///   - urlString: An absolute URL. Percent-encoded characters are kept, as in `URL(escaping:)`.
  ///   - parameters: Become fields before all parts. Their names are those of a query, without its escapes (REQ-M4).
  ///     The default is none.
  ///   - construct: Appends the parts. It is called once, before this function returns. The default appends none.
  /// - Returns: The request to send.
  /// - Throws: `MartletError` with code `.invalidRequest` for GET and HEAD, which have no bodies, `.invalidURL`, or
  ///   `.invalidParameters`; what `construct` or `serialize(_:parameters:)` throws.
  public func multipartFormRequest(
    method: HTTPRequest.Method, urlString: String, parameters: Parameters? = nil,
    constructingBody construct: (inout MultipartFormData) throws -> Void = { _ in }
  ) throws -> Request {
    try multipartFormRequest(
      method: method, url: try URL(escaping: urlString), parameters: parameters,
      constructingBody: construct)
  }

  /// Builds a request whose body is a multipart form; see
  /// `multipartFormRequest(method:urlString:parameters:constructingBody:)`.
  ///
  /// - Parameters:
  ///   - method: The method, sent as it is.
  ///   - url: An absolute URL.
  ///   - parameters: Become fields before all parts. The default is none.
  ///   - construct: Appends the parts. It is called once, before this function returns. The default appends none.
  /// - Returns: The request to send.
  /// - Throws: The errors of that function except `.invalidURL`.
  public func multipartFormRequest(
    method: HTTPRequest.Method, url: URL, parameters: Parameters? = nil,
    constructingBody construct: (inout MultipartFormData) throws -> Void = { _ in }
  ) throws -> Request {
    guard method != .get, method != .head else {
      throw MartletError.methodWithoutForm(method.rawValue)
    }
    var request = try request(method: method, url: url, parameters: nil)
    var form = MultipartFormData()
    if let parameters { try form.append(parameters, encodedBy: http) }
    try construct(&form)
    guard !form.parts.isEmpty else { return request }
    let (body, contentType) = form.encoded()
    request.body = body
    request.headers[.contentType] = contentType
    return request
  }
}

extension MultipartFormData {
  /// Appends a field for each value, in the order of a query (REQ-M4, REQ-M5).
  fileprivate mutating func append(
    _ parameters: Parameters, encodedBy serializer: HTTPRequestSerializer
  ) throws(MartletError) {
    let flattener = ParameterFlattener(encoding: serializer.parameterEncoding)
    try flattener.visit(parameters) { (field, value) throws(MartletError) in
      append(formData: try serializer.fieldData(of: value, at: field), name: field)
    }
  }
}

extension HTTPRequestSerializer {
  /// Returns data unchanged, null as no bytes, and any other value as text.
  fileprivate func fieldData(of value: Parameters, at field: String) throws(MartletError) -> Data {
    if case .data(let data) = value { return data }
    let text = try parameterEncoding.text(of: value, at: field) ?? ""
    guard let data = CharsetConversion.bytes(of: text, in: stringEncoding) else {
      throw .valueNotEncodable(field, in: stringEncoding)
    }
    return data
  }
}

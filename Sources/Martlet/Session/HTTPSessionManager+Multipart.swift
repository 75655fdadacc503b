public import HTTPTypes
public import MartletCore

/// POST requests whose body is a form of several parts. Their tasks are upload tasks (HTM-19).
///
/// The parameters become fields ahead of the parts that the closure appends. With a method of your own, or
/// with more to change, make the request yourself:
///
///     let request = try api.multipartRequest(.put, "photos/7") { form in
///       try form.append(fileAt: photo, name: "photo")
///     }
///     let response = try await api.send(request)
extension HTTPSessionManager {
  /// Appends the parts of a form.
  public typealias FormConstruction = (_ form: inout MultipartFormData) throws -> Void
  /// Called while a form is sent, after each chunk and on an event loop: be quick.
  public typealias UploadObserver = @Sendable (_ progress: TransferProgress) -> Void

  /// The request that a multipart verb with these arguments sends.
  ///
  /// - Parameters:
  ///   - method: The method; neither GET nor HEAD.
  ///   - path: A path relative to the base URL, or a whole URL.
  ///   - parameters: Become fields, ahead of all parts. The default is none.
  ///   - headers: Replace what the serializer set; `Content-Type` is not among them, because it names the
  ///     form's boundary (in place of HTM-11). The default is none.
  ///   - construct: Appends the parts; called once, at once.
  /// - Returns: The request.
  /// - Throws: `MartletError`; what `construct` throws and is none is the `underlying` of one with code
  ///   `.invalidParameters`.
  public func multipartRequest(
    _ method: HTTPRequest.Method, _ path: String, parameters: Parameters? = nil,
    headers: HTTPFields = [:], constructingBody construct: FormConstruction
  ) throws(MartletError) -> Request {
    guard !headers.contains(.contentType) else { throw .boundaryTakesContentType }
    return try request(method, path, headers: headers) { serializer, plain in
      try serializer.multipartFormRequest(
        method: plain.method, url: plain.url, parameters: parameters, constructingBody: construct)
    }
  }

  // MARK: Async

  /// Sends a form, and returns the response, whatever its status.
  ///
  /// - Throws: `MartletError`; no status is an error here.
  public func post(
    _ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:],
    progress: UploadObserver? = nil, constructingBody construct: FormConstruction
  ) async throws -> Response {
    var request = try multipartRequest(
      .post, path, parameters: parameters, headers: headers, constructingBody: construct)
    if let progress { request.observeUpload(progress) }
    return try await session.upload(request)
  }

  /// Sends a form with parameters that encode themselves, and returns the response, whatever its status.
  ///
  /// - Throws: `MartletError`; no status is an error here.
  public func post(
    _ path: String, parameters: some Encodable & Sendable, headers: HTTPFields = [:],
    progress: UploadObserver? = nil, constructingBody construct: FormConstruction
  ) async throws -> Response {
    try await post(
      path, parameters: Parameters.given(parameters), headers: headers, progress: progress,
      constructingBody: construct)
  }

  /// Sends a form and decodes the response.
  ///
  /// - Throws: `MartletError`; a status or a type that is not acceptable is an error.
  public func post<Value: Decodable & Sendable>(
    _ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:],
    progress: UploadObserver? = nil, as type: Value.Type = Value.self,
    constructingBody construct: FormConstruction
  ) async throws -> Value {
    try await value(
      of: post(
        path, parameters: parameters, headers: headers, progress: progress,
        constructingBody: construct))
  }

  /// Sends a form with parameters that encode themselves, and decodes the response.
  ///
  /// - Throws: `MartletError`; a status or a type that is not acceptable is an error.
  public func post<Value: Decodable & Sendable>(
    _ path: String, parameters: some Encodable & Sendable, headers: HTTPFields = [:],
    progress: UploadObserver? = nil, as type: Value.Type = Value.self,
    constructingBody construct: FormConstruction
  ) async throws -> Value {
    try await post(
      path, parameters: Parameters.given(parameters), headers: headers, progress: progress,
      as: type, constructingBody: construct)
  }

  // MARK: Closures

  /// Begins to send a form; `progress` is told of the upload (HTM-19).
  @discardableResult
  public func post(
    _ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:],
    constructingBody construct: FormConstruction,
    progress: URLSessionManager.ProgressHandler? = nil,
    success: @escaping Success, failure: Failure? = nil
  ) -> SessionTask? {
    let task = dataTask(
      kind: .upload, uploadProgress: progress, success: success, failure: failure
    ) { () throws(MartletError) in
      try multipartRequest(
        .post, path, parameters: parameters, headers: headers, constructingBody: construct)
    }
    task?.resume()
    return task
  }

  /// Begins to send a form with parameters that encode themselves; `progress` is told of the upload
  /// (HTM-19).
  @discardableResult
  public func post(
    _ path: String, parameters: some Encodable & Sendable, headers: HTTPFields = [:],
    constructingBody construct: FormConstruction,
    progress: URLSessionManager.ProgressHandler? = nil,
    success: @escaping Success, failure: Failure? = nil
  ) -> SessionTask? {
    post(
      path, parameters: Parameters.given(parameters), headers: headers,
      constructingBody: construct, progress: progress, success: success, failure: failure)
  }
}

extension Request {
  fileprivate mutating func observeUpload(
    _ progress: @escaping HTTPSessionManager.UploadObserver
  ) {
    let call = Call()
    call.observeUpload(progress)
    self.call = call
  }
}

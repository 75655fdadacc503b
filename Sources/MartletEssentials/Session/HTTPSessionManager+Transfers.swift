public import EssentialFoundation
public import HTTPTypes
public import MartletCore

/// POST requests whose body is a form of several parts. Their tasks are upload tasks (HTM-19).
///
/// The parameters become fields ahead of the parts that the closure appends. With a method of your own, or
/// with more to change, make the request yourself:
///
///     let request = try api.multipartFormRequest(.put, "photos/7") { form in
///       try form.append(fileAt: photo, name: "photo")
///     }
///     let response = try await api.send(request)
extension HTTPSessionManager {
  /// Appends the parts of a form.
  public typealias FormConstruction = (_ form: inout MultipartFormData) throws -> Void
  /// Called while a form is sent, after each chunk and on an event loop: be quick.
  public typealias UploadProgressHandler = @Sendable (_ progress: TransferProgress) -> Void

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
  public func multipartFormRequest(
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
    progress: UploadProgressHandler? = nil, constructingBody construct: FormConstruction
  ) async throws -> Response {
    var request = try multipartFormRequest(
      .post, path, parameters: parameters, headers: headers, constructingBody: construct)
    if let progress { request.observeUpload(progress) }
    return try await session.upload(request)
  }

  /// Sends a form with parameters that encode themselves, and returns the response, whatever its status.
  ///
  /// - Throws: `MartletError`; no status is an error here.
  public func post(
    _ path: String, parameters: some Encodable & Sendable, headers: HTTPFields = [:],
    progress: UploadProgressHandler? = nil, constructingBody construct: FormConstruction
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
    progress: UploadProgressHandler? = nil, as type: Value.Type = Value.self,
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
    progress: UploadProgressHandler? = nil, as type: Value.Type = Value.self,
    constructingBody construct: FormConstruction
  ) async throws -> Value {
    try await post(
      path, parameters: Parameters.given(parameters), headers: headers, progress: progress,
      as: type, constructingBody: construct)
  }

  // MARK: Closures

  /// Begins to send a form (HTM-19).
  @discardableResult
  public func post(
    _ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:],
    constructingBody construct: FormConstruction, success: @escaping Success,
    failure: Failure? = nil
  ) -> SessionTask? {
    let task = formTask(
      path, parameters: parameters, headers: headers, constructingBody: construct,
      success: success, failure: failure)
    task?.resume()
    return task
  }

  /// A task, suspended, that sends a form.
  package func formTask(
    _ path: String, parameters: Parameters?, headers: HTTPFields,
    constructingBody construct: FormConstruction, success: @escaping Success, failure: Failure?
  ) -> SessionTask? {
    dataTask(kind: .upload, success: success, failure: failure) { () throws(MartletError) in
      try multipartFormRequest(
        .post, path, parameters: parameters, headers: headers, constructingBody: construct)
    }
  }

  /// Begins to send a form with parameters that encode themselves (HTM-19).
  @discardableResult
  public func post(
    _ path: String, parameters: some Encodable & Sendable, headers: HTTPFields = [:],
    constructingBody construct: FormConstruction, success: @escaping Success,
    failure: Failure? = nil
  ) -> SessionTask? {
    post(
      path, parameters: Parameters.given(parameters), headers: headers,
      constructingBody: construct, success: success, failure: failure)
  }
}

extension Request {
  fileprivate mutating func observeUpload(
    _ progress: @escaping HTTPSessionManager.UploadProgressHandler
  ) {
    let call = Call()
    call.observeUpload(progress)
    self.call = call
  }
}

extension HTTPSessionManager {
  /// Downloads a body to a file, without ever holding it in memory.
  ///
  ///     let file = try await api.download("big.iso", to: folder) { progress in
  ///       print(progress.fractionCompleted)
  ///     }
  ///
  /// Until the file is complete, what came lies in a hidden file beside it. After a failure that stays, if the
  /// download can be resumed, and the error has `resumeData`; otherwise, and when the calling task is
  /// cancelled, it is removed. A response whose status is not acceptable is an error and leaves no file. Its
  /// content type does not matter, as the body is not decoded.
  ///
  /// - Parameters:
  ///   - path: A path relative to the base URL, or a whole URL.
  ///   - parameters: Put into the query. The default is none.
  ///   - headers: Replace what the request serializer set. The default is none.
  ///   - destination: A folder, in which the file gets the name that the server suggests; or the file's
  ///     own URL.
  ///   - replacesExisting: Whether a file that stands there already is replaced; otherwise it is an error. The
  ///     default is false.
  ///   - checksum: What the file must come to. The default is `nil`; a `Repr-Digest` or `Content-Digest`
  ///     that the server gives (RFC 9530) must be right in any case.
  ///   - resumeData: What an earlier download of the same URL left. The default, `nil`, begins anew.
  ///   - progress: Called after each chunk received, on an event loop: be quick. The default is none.
  /// - Returns: Where the file is.
  /// - Throws: `MartletError`; see ``URLSessionManager/download(_:to:replacesExisting:checksum:resuming:progress:)``.
  public func download(
    _ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:], to destination: URL,
    replacesExisting: Bool = false, checksum: Checksum? = nil,
    resuming resumeData: ResumeData? = nil,
    progress: URLSessionManager.DownloadProgressHandler? = nil
  ) async throws -> URL {
    try await session.download(
      try request(.get, path, parameters: parameters, headers: headers), to: destination,
      replacesExisting: replacesExisting, checksum: checksum, resuming: resumeData,
      progress: progress)
  }

  /// Downloads a body to a file, or goes on with what a store has of it.
  ///
  /// - Parameters:
  ///   - path: A path relative to the base URL, or a whole URL.
  ///   - parameters: Put into the query. The default is none.
  ///   - headers: Replace what the request serializer set. The default is none.
  ///   - destination: A folder, in which the file gets the name that the server suggests; or the file's
  ///     own URL.
  ///   - replacesExisting: Whether a file that stands there already is replaced; otherwise it is an error. The
  ///     default is false.
  ///   - checksum: What the file must come to. The default is `nil`.
  ///   - store: Where what came lies until the file is complete.
  ///   - progress: Called with progress that begins where the earlier download ended. The default is none.
  /// - Returns: Where the file is.
  /// - Throws: `MartletError`; see ``URLSessionManager/download(_:to:replacesExisting:checksum:store:progress:)``.
  public func download(
    _ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:], to destination: URL,
    replacesExisting: Bool = false, checksum: Checksum? = nil, store: DownloadStore,
    progress: URLSessionManager.DownloadProgressHandler? = nil
  ) async throws -> URL {
    try await session.download(
      try request(.get, path, parameters: parameters, headers: headers), to: destination,
      replacesExisting: replacesExisting, checksum: checksum, store: store, progress: progress)
  }
}

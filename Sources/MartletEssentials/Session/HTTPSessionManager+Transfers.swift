public import EssentialFoundation
public import HTTPTypes
public import MartletCore

/// POST requests whose body is a multipart form. Their tasks are upload tasks (HTM-19).
///
/// The parameters become form fields before the parts that the closure appends. For another method, or to change
/// more of the request, make the request first:
///
///     let request = try api.multipartFormRequest(.put, "photos/7") { form in
///       try form.append(fileAt: photo, name: "photo")
///     }
///     let response = try await api.send(request)
extension HTTPSessionManager {
  /// Appends the parts of a form.
  public typealias FormConstruction = (_ form: inout MultipartFormData) throws -> Void

  /// Returns the request that a multipart verb with these arguments sends.
  ///
  /// - Parameters:
  ///   - method: The method; neither GET nor HEAD.
  ///   - path: A path relative to the base URL, or a whole URL.
  ///   - parameters: Sent as form fields before all parts. The default is none.
  ///   - headers: The fields that replace those that the serializer set. `Content-Type` is not allowed, because it
  ///     names the form's boundary (HTM-19 differs: there it is allowed). The default is none.
  ///   - configure: Changes the request after all else is set. The default changes nothing.
  ///   - construct: Appends the parts. It is called once, before the function returns.
  /// - Returns: The request.
  /// - Throws: `MartletError`. If `construct` throws an error of another type, that is the `underlying` of a
  ///   `MartletError` with code `.invalidParameters`.
  public func multipartFormRequest(
    _ method: HTTPRequest.Method, _ path: String, parameters: Parameters? = nil,
    headers: RequestHeaders = [:], configure: RequestConfiguration = { _ in },
    constructingBody construct: FormConstruction
  ) throws(MartletError) -> Request {
    guard !headers.contains(.contentType) else { throw .boundaryTakesContentType }
    return try request(method, path, headers: headers, configure: configure) { serializer, plain in
      try serializer.multipartFormRequest(
        method: plain.method, url: plain.url, parameters: parameters, constructingBody: construct)
    }
  }

  // MARK: Async

  /// Sends a form, and returns the response.
  ///
  /// - Throws: `MartletError`; a status that is not acceptable is an error.
  @discardableResult
  public func post(
    _ path: String, parameters: Parameters? = nil, headers: RequestHeaders = [:],
    constructingBody construct: FormConstruction, configure: RequestConfiguration = { _ in },
    progress: TransferProgress.Handler? = nil
  ) async throws -> Response {
    try await acceptable(
      formResponse(path, parameters, headers, progress, configure, construct))
  }

  /// Sends a form and decodes the response.
  ///
  /// - Throws: `MartletError`; a status or content type that is not acceptable is an error.
  public func post<Value: Decodable & Sendable>(
    _ path: String, parameters: Parameters? = nil, headers: RequestHeaders = [:],
    as type: Value.Type = Value.self, constructingBody construct: FormConstruction,
    configure: RequestConfiguration = { _ in }, progress: TransferProgress.Handler? = nil
  ) async throws -> Value {
    try await value(of: formResponse(path, parameters, headers, progress, configure, construct))
  }

  private func formResponse(
    _ path: String, _ parameters: Parameters?, _ headers: RequestHeaders,
    _ progress: TransferProgress.Handler?, _ configure: RequestConfiguration,
    _ construct: FormConstruction
  ) async throws -> Response {
    let request = try multipartFormRequest(
      .post, path, parameters: parameters, headers: headers, configure: configure,
      constructingBody: construct)
    return try await session.send(request, kind: .upload) { call in
      if let progress { call.observeUpload(progress) }
    }
  }

  // MARK: Closures

  /// Begins a task that sends a form (HTM-19). `progress` is called on the session's own queue.
  @discardableResult
  public func post(
    _ path: String, parameters: Parameters? = nil, headers: RequestHeaders = [:],
    constructingBody construct: FormConstruction, configure: RequestConfiguration = { _ in },
    progress: TransferProgress.Handler? = nil, success: Success?, failure: Failure? = nil
  ) -> SessionTask? {
    let task = dataTask(kind: .upload, success: success, failure: failure) {
      () throws(MartletError) in
      try multipartFormRequest(
        .post, path, parameters: parameters, headers: headers, configure: configure,
        constructingBody: construct)
    }
    task?.callOnQueue(progress) { $0.observeUpload($1) }
    task?.resume()
    return task
  }
}

/// Downloads.
extension HTTPSessionManager {
  /// Downloads a body to a file, without holding it in memory.
  ///
  ///     let image = try await api.download("big.iso", to: folder) { progress in
  ///       print(progress.fractionCompleted)
  ///     }
  ///     print(image.url.path, image.response.headers[.lastModified] ?? "")
  ///
  /// Until the download is complete, the bytes received are in a hidden file in the folder of the final file. After a
  /// failure, this partial file is kept if the download can be resumed, and the error has `resumeData`. Otherwise it is
  /// removed. It is also removed when the calling task is cancelled, unless `resumeData` was given. A response whose
  /// status is not acceptable is an error, and its body is not written to a file. The content type does not matter,
  /// because the body is not decoded.
  ///
  /// - Parameters:
  ///   - path: A path relative to the base URL, or a whole URL.
  ///   - parameters: Put into the query. The default is none.
  ///   - headers: The fields that replace those that the request serializer set. The default is none.
  ///   - destination: A folder, in which the file gets the name that the server suggests; or the file's
  ///     own URL.
  ///   - replacesExisting: Whether an existing file is replaced; otherwise it is an error. The default is false.
  ///   - checksum: The checksum that the file must have. The default is `nil`. With or without it, the file must match
  ///     the SHA-256 or SHA-512 in the `Repr-Digest` or `Content-Digest` of the response (RFC 9530). These fields are
  ///     ignored for a compressed body.
  ///   - resumeData: The resume data of an earlier download of the same URL. The default, `nil`, starts from the
  ///     beginning.
  ///   - progress: Called after each chunk received, usually on an event loop: it must be quick. The default is none.
  ///   - configure: Changes the request after all else is set. The default changes nothing.
  /// - Returns: The URL of the file, and the response.
  /// - Throws: `MartletError`; see ``URLSessionManager/download(_:to:replacesExisting:checksum:resuming:progress:)``.
  public func download(
    _ path: String, parameters: Parameters? = nil, headers: RequestHeaders = [:],
    to destination: URL,
    replacesExisting: Bool = false, checksum: Checksum? = nil,
    resuming resumeData: ResumeData? = nil, progress: TransferProgress.Handler? = nil,
    configure: RequestConfiguration = { _ in }
  ) async throws -> DownloadedFile {
    try await session.download(
      try request(.get, path, parameters: parameters, headers: headers, configure: configure),
      to: destination,
      replacesExisting: replacesExisting, checksum: checksum, resuming: resumeData,
      progress: progress)
  }

  /// Downloads a body to a file, or resumes the download if a store has a part of it.
  ///
  /// - Parameters:
  ///   - path: A path relative to the base URL, or a whole URL.
  ///   - parameters: Put into the query. The default is none.
  ///   - headers: The fields that replace those that the request serializer set. The default is none.
  ///   - destination: A folder, in which the file gets the name that the server suggests; or the file's
  ///     own URL.
  ///   - replacesExisting: Whether an existing file is replaced; otherwise it is an error. The default is false.
  ///   - checksum: The checksum that the file must have. The default is `nil`.
  ///   - store: The store that keeps the bytes received until the file is complete.
  ///   - progress: Called with progress that begins where the earlier download ended. The default is none.
  ///   - configure: Changes the request after all else is set. The default changes nothing.
  /// - Returns: The URL of the file, and the response.
  /// - Throws: `MartletError`; see ``URLSessionManager/download(_:to:replacesExisting:checksum:store:progress:)``.
  public func download(
    _ path: String, parameters: Parameters? = nil, headers: RequestHeaders = [:],
    to destination: URL,
    replacesExisting: Bool = false, checksum: Checksum? = nil, store: DownloadStore,
    progress: TransferProgress.Handler? = nil,
    configure: RequestConfiguration = { _ in }
  ) async throws -> DownloadedFile {
    try await session.download(
      try request(.get, path, parameters: parameters, headers: headers, configure: configure),
      to: destination,
      replacesExisting: replacesExisting, checksum: checksum, store: store, progress: progress)
  }
}

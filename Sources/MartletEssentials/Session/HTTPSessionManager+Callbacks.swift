package import EssentialFoundation
public import HTTPTypes
public import MartletCore

/// The verbs as functions that return a running task and call closures, as in AFNetworking.
///
/// `success` may be `nil`. At most one of the two closures is called, once, on `completionQueue`. The task is `nil` when
/// the request could not be made; `failure` receives the reason. `progress` is called on the session's own queue, after
/// each chunk of the response to a GET, and after each chunk of the body of POST (HTM-18).
extension HTTPSessionManager {
  /// Begins a GET request.
  @discardableResult
  public func get(
    _ path: String, parameters: Parameters? = nil, headers: RequestHeaders = [:],
    configure: RequestConfiguration = { _ in }, progress: TransferProgress.Handler? = nil,
    success: Success?, failure: Failure? = nil
  ) -> SessionTask? {
    runningTask(
      .get, path, parameters, nil, headers, progress, configure, success: success, failure: failure)
  }

  /// Begins a HEAD request. `success` receives no object (HTM-17).
  @discardableResult
  public func head(
    _ path: String, parameters: Parameters? = nil, headers: RequestHeaders = [:],
    configure: RequestConfiguration = { _ in },
    success: (@Sendable (_ task: SessionTask) -> Void)?, failure: Failure? = nil
  ) -> SessionTask? {
    runningTask(
      .head, path, parameters, nil, headers, nil, configure,
      success: success.map { success -> Success in { task, _ in success(task) } }, failure: failure)
  }

  /// Begins a POST request.
  @discardableResult
  public func post(
    _ path: String, parameters: Parameters? = nil, body: RequestContent? = nil,
    headers: RequestHeaders = [:], configure: RequestConfiguration = { _ in },
    progress: TransferProgress.Handler? = nil, success: Success?, failure: Failure? = nil
  ) -> SessionTask? {
    runningTask(
      .post, path, parameters, body, headers, progress, configure, success: success,
      failure: failure)
  }

  /// Begins a PUT request.
  @discardableResult
  public func put(
    _ path: String, parameters: Parameters? = nil, body: RequestContent? = nil,
    headers: RequestHeaders = [:], configure: RequestConfiguration = { _ in },
    success: Success?, failure: Failure? = nil
  ) -> SessionTask? {
    runningTask(
      .put, path, parameters, body, headers, nil, configure, success: success, failure: failure)
  }

  /// Begins a PATCH request.
  @discardableResult
  public func patch(
    _ path: String, parameters: Parameters? = nil, body: RequestContent? = nil,
    headers: RequestHeaders = [:], configure: RequestConfiguration = { _ in },
    success: Success?, failure: Failure? = nil
  ) -> SessionTask? {
    runningTask(
      .patch, path, parameters, body, headers, nil, configure, success: success, failure: failure)
  }

  /// Begins a DELETE request.
  @discardableResult
  public func delete(
    _ path: String, parameters: Parameters? = nil, headers: RequestHeaders = [:],
    configure: RequestConfiguration = { _ in },
    success: Success?, failure: Failure? = nil
  ) -> SessionTask? {
    runningTask(
      .delete, path, parameters, nil, headers, nil, configure, success: success, failure: failure)
  }
}

/// The common implementation of the verbs with closures.
extension HTTPSessionManager {
  /// Called when a request has succeeded, with the object that the response serializer made of the response.
  public typealias Success = @Sendable (_ task: SessionTask, _ object: (any Sendable)?) -> Void
  /// Called when a request has failed; `task` is `nil` when the request could not be made (HTM-12).
  public typealias Failure = @Sendable (_ task: SessionTask?, _ error: MartletError) -> Void

  /// Makes a suspended task for any method (HTM-10).
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - path: A path relative to the base URL, or a whole URL.
  ///   - parameters: What the request serializer puts into the query or the body. The default is none.
  ///   - body: The body; see ``request(_:_:parameters:body:headers:configure:)``. The default is none.
  ///   - headers: The fields that replace those that the serializer set. The default is none.
  ///   - uploadProgress: Called after each chunk of the request's body. The default is none.
  ///   - downloadProgress: Called after each chunk of the response's body. The default is none.
  ///   - configure: Changes the request after all else is set. The default changes nothing.
  ///   - success: Called on `completionQueue` with the object. The default is none.
  ///   - failure: Called on `completionQueue` with the error. The default is none.
  /// - Returns: The task, or `nil` when the request could not be made; `failure` receives the reason.
  public func dataTask(
    _ method: HTTPRequest.Method, _ path: String, parameters: Parameters? = nil,
    body: RequestContent? = nil, headers: RequestHeaders = [:],
    uploadProgress: TransferProgress.Handler? = nil,
    downloadProgress: TransferProgress.Handler? = nil, configure: RequestConfiguration = { _ in },
    success: Success? = nil, failure: Failure? = nil
  ) -> SessionTask? {
    let task = dataTask(success: success, failure: failure) { () throws(MartletError) in
      try request(
        method, path, parameters: parameters, body: body, headers: headers, configure: configure)
    }
    task?.callOnQueue(uploadProgress) { $0.observeUpload($1) }
    task?.callOnQueue(downloadProgress) { $0.observeDownload($1) }
    return task
  }

  /// Makes a suspended task for the request that `make` returns.
  func dataTask(
    kind: SessionTask.Kind = .data, success: Success?, failure: Failure?,
    _ make: () throws(MartletError) -> Request
  ) -> SessionTask? {
    do {
      return session.dataTask(with: try make(), kind: kind) { task, object, error in
        if let error { failure?(task, error) } else { success?(task, object) }
      }
    } catch {
      (completionQueue ?? .main).async { failure?(nil, error) }
      return nil
    }
  }

  /// Makes a task for any method, and resumes it (HTM-16).
  private func runningTask(
    _ method: HTTPRequest.Method, _ path: String, _ parameters: Parameters?,
    _ body: RequestContent?,
    _ headers: RequestHeaders, _ progress: TransferProgress.Handler?,
    _ configure: RequestConfiguration, success: Success?, failure: Failure?
  ) -> SessionTask? {
    let task = dataTask(
      method, path, parameters: parameters, body: body, headers: headers,
      uploadProgress: method == .get ? nil : progress,
      downloadProgress: method == .get ? progress : nil, configure: configure, success: success,
      failure: failure)
    task?.resume()
    return task
  }

  /// Makes a suspended task for an existing request.
  ///
  /// - Parameters:
  ///   - request: What to send.
  ///   - queue: The queue on which the completion runs, in place of `completionQueue`.
  ///   - completion: Called once, with the response, if one arrived, the object, and the error.
  /// - Returns: The task.
  /// - Throws: `MartletError` with code `.invalidSecurityPolicy`.
  package func dataTask(
    with request: Request, completingOn queue: DispatchQueue,
    completion: @escaping URLSessionManager.Completion
  ) throws(MartletError) -> SessionTask {
    if let problem = policyProblem?.current ?? nil { throw problem }
    return session.dataTask(with: request, queue: queue) { task, object, error in
      completion(task.response, object, error)
    }
  }
}

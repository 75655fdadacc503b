public import HTTPTypes
import MartletCore

/// The verbs as functions that return a running task and call closures, as in AFNetworking.
///
/// Closures are called on `completionQueue`, exactly one of the two, once. The task is `nil` when the
/// request could not be made; `failure` is told why.
extension HTTPSessionManager {
  /// Begins a GET request; `progress` is told of the download (HTM-18).
  @discardableResult
  public func get(
    _ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:],
    progress: URLSessionManager.ProgressHandler? = nil,
    success: @escaping Success, failure: Failure? = nil
  ) -> SessionTask? {
    runningTask(
      .get, path, parameters, headers, download: progress, success: success, failure: failure)
  }

  /// Begins a GET request with parameters that encode themselves; `progress` is told of the
  /// download (HTM-18).
  @discardableResult
  public func get(
    _ path: String, parameters: some Encodable & Sendable, headers: HTTPFields = [:],
    progress: URLSessionManager.ProgressHandler? = nil,
    success: @escaping Success, failure: Failure? = nil
  ) -> SessionTask? {
    runningTask(
      .get, path, Parameters.given(parameters), headers, download: progress, success: success,
      failure: failure)
  }

  /// Begins a HEAD request. `success` gets no object (HTM-17).
  @discardableResult
  public func head(
    _ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:],
    success: @escaping @Sendable (_ task: SessionTask) -> Void, failure: Failure? = nil
  ) -> SessionTask? {
    runningTask(
      .head, path, parameters, headers, success: { task, _ in success(task) }, failure: failure)
  }

  /// Begins a HEAD request with parameters that encode themselves. `success` gets no object
  /// (HTM-17).
  @discardableResult
  public func head(
    _ path: String, parameters: some Encodable & Sendable, headers: HTTPFields = [:],
    success: @escaping @Sendable (_ task: SessionTask) -> Void, failure: Failure? = nil
  ) -> SessionTask? {
    runningTask(
      .head, path, Parameters.given(parameters), headers, success: { task, _ in success(task) },
      failure: failure)
  }

  /// Begins a POST request; `progress` is told of the upload (HTM-18).
  @discardableResult
  public func post(
    _ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:],
    progress: URLSessionManager.ProgressHandler? = nil,
    success: @escaping Success, failure: Failure? = nil
  ) -> SessionTask? {
    runningTask(
      .post, path, parameters, headers, upload: progress, success: success, failure: failure)
  }

  /// Begins a POST request with parameters that encode themselves; `progress` is told of the
  /// upload (HTM-18).
  @discardableResult
  public func post(
    _ path: String, parameters: some Encodable & Sendable, headers: HTTPFields = [:],
    progress: URLSessionManager.ProgressHandler? = nil,
    success: @escaping Success, failure: Failure? = nil
  ) -> SessionTask? {
    runningTask(
      .post, path, Parameters.given(parameters), headers, upload: progress, success: success,
      failure: failure)
  }

  /// Begins a PUT request.
  @discardableResult
  public func put(
    _ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:],
    success: @escaping Success, failure: Failure? = nil
  ) -> SessionTask? {
    runningTask(
      .put, path, parameters, headers, success: success, failure: failure)
  }

  /// Begins a PUT request with parameters that encode themselves.
  @discardableResult
  public func put(
    _ path: String, parameters: some Encodable & Sendable, headers: HTTPFields = [:],
    success: @escaping Success, failure: Failure? = nil
  ) -> SessionTask? {
    runningTask(
      .put, path, Parameters.given(parameters), headers, success: success, failure: failure)
  }

  /// Begins a PATCH request.
  @discardableResult
  public func patch(
    _ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:],
    success: @escaping Success, failure: Failure? = nil
  ) -> SessionTask? {
    runningTask(
      .patch, path, parameters, headers, success: success, failure: failure)
  }

  /// Begins a PATCH request with parameters that encode themselves.
  @discardableResult
  public func patch(
    _ path: String, parameters: some Encodable & Sendable, headers: HTTPFields = [:],
    success: @escaping Success, failure: Failure? = nil
  ) -> SessionTask? {
    runningTask(
      .patch, path, Parameters.given(parameters), headers, success: success, failure: failure)
  }

  /// Begins a DELETE request.
  @discardableResult
  public func delete(
    _ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:],
    success: @escaping Success, failure: Failure? = nil
  ) -> SessionTask? {
    runningTask(
      .delete, path, parameters, headers, success: success, failure: failure)
  }

  /// Begins a DELETE request with parameters that encode themselves.
  @discardableResult
  public func delete(
    _ path: String, parameters: some Encodable & Sendable, headers: HTTPFields = [:],
    success: @escaping Success, failure: Failure? = nil
  ) -> SessionTask? {
    runningTask(
      .delete, path, Parameters.given(parameters), headers, success: success, failure: failure)
  }
}

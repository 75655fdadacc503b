public import HTTPTypes
import MartletCore
public import MartletEssentials

/// The functions with closures for GET, POST and other methods, with an additional closure for the progress.
extension HTTPSessionManager {
  /// Begins a GET request; `progress` is called with the progress of the download (HTM-18).
  @discardableResult
  public func get(
    _ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:],
    progress: URLSessionManager.ProgressHandler?, success: @escaping Success,
    failure: Failure? = nil
  ) -> SessionTask? {
    dataTask(
      .get, path, parameters: parameters, headers: headers, downloadProgress: progress,
      success: success, failure: failure)?.running
  }

  /// Begins a POST request; `progress` is called with the progress of the upload (HTM-18).
  @discardableResult
  public func post(
    _ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:],
    progress: URLSessionManager.ProgressHandler?, success: @escaping Success,
    failure: Failure? = nil
  ) -> SessionTask? {
    dataTask(
      .post, path, parameters: parameters, headers: headers, uploadProgress: progress,
      success: success, failure: failure)?.running
  }

  /// Begins to send a form; `progress` is called with the progress of the upload (HTM-19).
  @discardableResult
  public func post(
    _ path: String, parameters: Parameters? = nil, headers: HTTPFields = [:],
    constructingBody construct: FormConstruction, progress: URLSessionManager.ProgressHandler?,
    success: @escaping Success, failure: Failure? = nil
  ) -> SessionTask? {
    formTask(
      path, parameters: parameters, headers: headers, constructingBody: construct,
      success: success, failure: failure)?.reporting(upload: progress).running
  }

  /// Returns a task for any method, suspended (HTM-10).
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - path: A path relative to the base URL, or a whole URL.
  ///   - parameters: The parameters that the request serializer puts into the query or the body. The default is none.
  ///   - headers: Header fields that replace those of the serializer. The default is none.
  ///   - uploadProgress: Called after each chunk sent. The default is none.
  ///   - downloadProgress: Called after each chunk received. The default is none.
  ///   - success: Called on `completionQueue` with the object. The default is none.
  ///   - failure: Called on `completionQueue` with the error. The default is none.
  /// - Returns: The task, or `nil` when the request could not be made; `failure` is called with the reason.
  public func dataTask(
    _ method: HTTPRequest.Method, _ path: String, parameters: Parameters? = nil,
    headers: HTTPFields = [:], uploadProgress: URLSessionManager.ProgressHandler? = nil,
    downloadProgress: URLSessionManager.ProgressHandler? = nil, success: Success? = nil,
    failure: Failure? = nil
  ) -> SessionTask? {
    dataTask(
      method, path, parameters: parameters, headers: headers, success: success, failure: failure
    )?.reporting(upload: uploadProgress, download: downloadProgress)
  }
}

extension SessionTask {
  /// Resumes the task, and returns it.
  fileprivate var running: SessionTask {
    resume()
    return self
  }
}

public import Foundation
public import MartletCore
import NIOCore

/// Tasks for the sake of a request's body.
extension URLSessionManager {
  /// A task that sends a file.
  ///
  /// The file is read while it is sent. One that cannot be read makes no task (SES-T5).
  ///
  /// - Parameters:
  ///   - request: What to send; its body is replaced.
  ///   - file: The file.
  ///   - progress: Called after each chunk sent. The default is none.
  ///   - completion: Called once, on `completionQueue`.
  /// - Returns: The task, suspended (SES-T4).
  /// - Throws: What `Body.file(at:offset:length:)` throws.
  public func uploadTask(
    with request: Request, fromFile file: URL, progress: ProgressHandler? = nil,
    completion: @escaping Completion
  ) throws(MartletError) -> SessionTask {
    uploadTask(with: request, try .file(at: file), progress: progress, completion: completion)
  }

  /// A task that sends bytes.
  ///
  /// - Parameters:
  ///   - request: What to send; its body is replaced.
  ///   - data: The bytes; `nil` for an empty body (SES-T6).
  ///   - progress: Called after each chunk sent. The default is none.
  ///   - completion: Called once, on `completionQueue`.
  /// - Returns: The task, suspended (SES-T4).
  public func uploadTask(
    with request: Request, from data: Data?, progress: ProgressHandler? = nil,
    completion: @escaping Completion
  ) -> SessionTask {
    uploadTask(with: request, .data(data ?? Data()), progress: progress, completion: completion)
  }

  /// A task that sends the body that its request has, a stream for example.
  ///
  /// - Parameters:
  ///   - request: What to send.
  ///   - progress: Called after each chunk sent. The default is none.
  ///   - completion: Called once, on `completionQueue`.
  /// - Returns: The task, suspended (SES-T4).
  public func uploadTask(
    withStreamedRequest request: Request, progress: ProgressHandler? = nil,
    completion: @escaping Completion
  ) -> SessionTask {
    uploadTask(with: request, request.body, progress: progress, completion: completion)
  }

  private func uploadTask(
    with request: Request, _ body: Body, progress: ProgressHandler?,
    completion: @escaping Completion
  ) -> SessionTask {
    var request = request
    request.body = body
    return dataTask(
      with: request, kind: .upload, uploadProgress: progress, downloadProgress: nil
    ) { task, object, error in completion(task.response, object, error) }
  }
}

public import Foundation
public import MartletCore
public import MartletEssentials

/// Tasks whose progress is reported to closures, as in AFNetworking.
extension URLSessionManager {
  /// Called after each chunk with an up-to-date `Progress`.
  public typealias ProgressHandler = @Sendable (Progress) -> Void

  /// Returns the live progress of a task's upload; `nil` for a task that has ended, or of another session (SES-P6).
  /// `SessionTask.uploadProgress` describes where it may be read.
  public func uploadProgress(for task: SessionTask) -> Progress? {
    contains(task) ? task.uploadProgress : nil
  }

  /// Returns the live progress of a task's download; `nil` for a task that has ended, or of another session.
  /// `SessionTask.uploadProgress` describes where it may be read.
  public func downloadProgress(for task: SessionTask) -> Progress? {
    contains(task) ? task.downloadProgress : nil
  }

  /// Returns a task that begins when it is resumed, and ends with a completion.
  ///
  /// - Parameters:
  ///   - request: The request to send.
  ///   - uploadProgress: Called after each chunk sent. The default is none.
  ///   - downloadProgress: Called after each chunk received. The default is none.
  ///   - completion: Called once, on `completionQueue`.
  /// - Returns: The task, suspended (SES-T4).
  public func dataTask(
    with request: Request, uploadProgress: ProgressHandler? = nil,
    downloadProgress: ProgressHandler? = nil, completion: @escaping Completion
  ) -> SessionTask {
    dataTask(with: request, completion: completion)
      .reporting(upload: uploadProgress, download: downloadProgress)
  }

  /// Returns a task that sends a file.
  ///
  /// The file is read while it is sent. If it does not exist or is not a regular file, no task is created (SES-T5).
  ///
  /// - Parameters:
  ///   - request: The request to send; its body is replaced.
  ///   - file: The file.
  ///   - progress: Called after each chunk sent.
  ///   - completion: Called once, on `completionQueue`.
  /// - Returns: The task, suspended (SES-T4).
  /// - Throws: What `RequestBody.file(at:offset:length:)` throws.
  public func uploadTask(
    with request: Request, fromFile file: URL, progress: ProgressHandler?,
    completion: @escaping Completion
  ) throws(MartletError) -> SessionTask {
    try uploadTask(with: request, fromFile: file, completion: completion)
      .reporting(upload: progress)
  }

  /// Returns a task that sends bytes.
  ///
  /// - Parameters:
  ///   - request: The request to send; its body is replaced.
  ///   - data: The bytes; `nil` for an empty body (SES-T6).
  ///   - progress: Called after each chunk sent.
  ///   - completion: Called once, on `completionQueue`.
  /// - Returns: The task, suspended (SES-T4).
  public func uploadTask(
    with request: Request, from data: Data?, progress: ProgressHandler?,
    completion: @escaping Completion
  ) -> SessionTask {
    uploadTask(with: request, from: data, completion: completion).reporting(upload: progress)
  }

  /// Returns a task that sends the body of its request, for example a stream.
  ///
  /// - Parameters:
  ///   - request: The request to send.
  ///   - progress: Called after each chunk sent.
  ///   - completion: Called once, on `completionQueue`.
  /// - Returns: The task, suspended (SES-T4).
  public func uploadTask(
    withStreamedRequest request: Request, progress: ProgressHandler?,
    completion: @escaping Completion
  ) -> SessionTask {
    uploadTask(withStreamedRequest: request, completion: completion).reporting(upload: progress)
  }

  /// Returns a task that downloads to a file, without ever holding the whole body in memory.
  ///
  /// - Parameters:
  ///   - request: The request to send; its delivery is replaced.
  ///   - progress: Called after each chunk received.
  ///   - destination: Returns the destination of the file. With the default, `nil`, the file is deleted.
  ///   - completion: Called once, on `completionQueue`.
  /// - Returns: The task, suspended (SES-T4).
  public func downloadTask(
    with request: Request, progress: ProgressHandler?, destination: DownloadDestination? = nil,
    completion: @escaping DownloadCompletion
  ) -> SessionTask {
    downloadTask(with: request, destination: destination, completion: completion)
      .reporting(download: progress)
  }

  /// Returns a task that continues a download where an earlier one ended (SES-D9).
  ///
  /// Progress begins with the bytes that the file already has (SES-P4).
  ///
  /// - Parameters:
  ///   - resumeData: The resume data of the earlier download, with the URL and the header fields of the request.
  ///   - progress: Called after each chunk received.
  ///   - destination: Returns the destination of the file. With the default, `nil`, the file is deleted.
  ///   - completion: Called once, on `completionQueue`; with an error of code `.invalidResumeData` when the
  ///     partial file is gone.
  /// - Returns: The task, suspended (SES-T4).
  public func downloadTask(
    withResumeData resumeData: ResumeData, progress: ProgressHandler?,
    destination: DownloadDestination? = nil, completion: @escaping DownloadCompletion
  ) -> SessionTask {
    downloadTask(withResumeData: resumeData, destination: destination, completion: completion)
      .reporting(download: progress)
  }
}

public import Foundation
public import MartletCore
public import MartletEssentials

/// Tasks whose progress is reported to closures, as in AFNetworking.
extension URLSessionManager {
  /// Called after each chunk with an up-to-date `Progress`.
  public typealias ProgressHandler = @Sendable (Progress) -> Void

  /// The live progress of a task's upload; `nil` for a task that is over, or another session's (SES-P6). See
  /// `SessionTask.uploadProgress` for where it may be read.
  public func uploadProgress(for task: SessionTask) -> Progress? {
    contains(task) ? task.uploadProgress : nil
  }

  /// The live progress of a task's download; `nil` for a task that is over, or another session's. See
  /// `SessionTask.uploadProgress` for where it may be read.
  public func downloadProgress(for task: SessionTask) -> Progress? {
    contains(task) ? task.downloadProgress : nil
  }

  /// A task that begins when it is resumed, and ends with a completion.
  ///
  /// - Parameters:
  ///   - request: What to send.
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

  /// A task that sends a file.
  ///
  /// The file is read while it is sent. One that cannot be read makes no task (SES-T5).
  ///
  /// - Parameters:
  ///   - request: What to send; its body is replaced.
  ///   - file: The file.
  ///   - progress: Called after each chunk sent.
  ///   - completion: Called once, on `completionQueue`.
  /// - Returns: The task, suspended (SES-T4).
  /// - Throws: What `Body.file(at:offset:length:)` throws.
  public func uploadTask(
    with request: Request, fromFile file: URL, progress: ProgressHandler?,
    completion: @escaping Completion
  ) throws(MartletError) -> SessionTask {
    try uploadTask(with: request, fromFile: file, completion: completion)
      .reporting(upload: progress)
  }

  /// A task that sends bytes.
  ///
  /// - Parameters:
  ///   - request: What to send; its body is replaced.
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

  /// A task that sends the body that its request has, a stream for example.
  ///
  /// - Parameters:
  ///   - request: What to send.
  ///   - progress: Called after each chunk sent.
  ///   - completion: Called once, on `completionQueue`.
  /// - Returns: The task, suspended (SES-T4).
  public func uploadTask(
    withStreamedRequest request: Request, progress: ProgressHandler?,
    completion: @escaping Completion
  ) -> SessionTask {
    uploadTask(withStreamedRequest: request, completion: completion).reporting(upload: progress)
  }

  /// A task that downloads to a file, without ever holding the body in memory.
  ///
  /// - Parameters:
  ///   - request: What to send; its delivery is replaced.
  ///   - progress: Called after each chunk received.
  ///   - destination: Where the file goes. The default, `nil`, deletes it.
  ///   - completion: Called once, on `completionQueue`.
  /// - Returns: The task, suspended (SES-T4).
  public func downloadTask(
    with request: Request, progress: ProgressHandler?, destination: DownloadDestination? = nil,
    completion: @escaping DownloadCompletion
  ) -> SessionTask {
    downloadTask(with: request, destination: destination, completion: completion)
      .reporting(download: progress)
  }

  /// A task that goes on with a download where an earlier one ended (SES-D9). Progress begins with what is there
  /// (SES-P4).
  ///
  /// - Parameters:
  ///   - resumeData: What the earlier download left. Its URL and header fields make the request.
  ///   - progress: Called after each chunk received.
  ///   - destination: Where the file goes. The default, `nil`, deletes it.
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

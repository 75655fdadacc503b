public import Foundation
public import MartletCore

/// Tasks for responses that go into files.
extension URLSessionManager {
  /// Where a file that has been downloaded goes: called with where it is for now, and the response.
  ///
  /// It must be quick. `nil` leaves the file to be deleted (SES-D3).
  public typealias DownloadDestination =
    @Sendable (_ temporaryFile: URL, _ response: Response) -> URL?
  /// Called at the end of a download with the response if one came, where the file is, and the error. A
  /// response that is not acceptable has both: the file, which holds its body, and the error (SES-D8).
  public typealias DownloadCompletion =
    @Sendable (_ response: Response?, _ file: URL?, _ error: MartletError?) -> Void

  /// A task that downloads to a file, without ever holding the body in memory.
  ///
  /// The response serializer checks the response without its body, so that a content type is never an
  /// error (SES-C16). The file is moved to its destination, whose folder must exist, and where no file may
  /// stand; otherwise the error says so, and the file is deleted (in place of SES-D6). A `Repr-Digest` or
  /// `Content-Digest` that the server gives must be right.
  ///
  /// A failure that leaves what can be resumed keeps it, and the error has `resumeData`.
  ///
  /// - Parameters:
  ///   - request: What to send; its delivery is replaced.
  ///   - progress: Called after each chunk received. The default is none.
  ///   - destination: Where the file goes. The default, `nil`, deletes it.
  ///   - completion: Called once, on `completionQueue`.
  /// - Returns: The task, suspended (SES-T4).
  public func downloadTask(
    with request: Request, progress: ProgressHandler? = nil,
    destination: DownloadDestination? = nil, completion: @escaping DownloadCompletion
  ) -> SessionTask {
    let serializer = responseSerializer
    let plan = DownloadPlan(
      partial: .temporaryDownload, rejection: serializer.rejection(of:data:))
    return downloadTask(request, plan, progress, destination, completion) { response in
      await serializer.outcome(of: response).error
    }
  }

  /// A task that goes on with a download where an earlier one ended (SES-D9).
  ///
  /// The server is asked for the missing bytes, and for all of them when it has something else by now. Progress
  /// begins with what is there (SES-P4). A status that is not acceptable is an error, and leaves the partial
  /// file as it was; 416 is none when it says that the partial file is whole.
  ///
  /// - Parameters:
  ///   - resumeData: What the earlier download left. Its URL and header fields make the request.
  ///   - progress: Called after each chunk received. The default is none.
  ///   - destination: Where the file goes. The default, `nil`, deletes it.
  ///   - completion: Called once, on `completionQueue`; with an error of code `.invalidResumeData` when the
  ///     partial file is gone.
  /// - Returns: The task, suspended (SES-T4).
  public func downloadTask(
    withResumeData resumeData: ResumeData, progress: ProgressHandler? = nil,
    destination: DownloadDestination? = nil, completion: @escaping DownloadCompletion
  ) -> SessionTask {
    let serializer = responseSerializer
    var plan = DownloadPlan(
      partial: resumeData.file, resuming: resumeData,
      rejection: serializer.rejection(of:data:))
    plan.accepts = { serializer.accepts($0, of: resumeData.url) }
    // Nothing that is not acceptable gets as far as the check.
    return downloadTask(resumeData.request, plan, progress, destination, completion) { _ in nil }
  }

  private func downloadTask(
    _ request: Request, _ plan: DownloadPlan, _ progress: ProgressHandler?,
    _ destination: DownloadDestination?, _ completion: @escaping DownloadCompletion,
    check: @escaping @Sendable (Response) async -> MartletError?
  ) -> SessionTask {
    let serializer = responseSerializer
    let ending = TaskRunner.Ending(
      serializer: serializer,
      outcome: { task, response in
        await serializer.outcome(ofDownload: response, of: task, to: destination, check: check)
      }, completion: { task, file, error in completion(task.response, file as? URL, error) })
    return task(
      with: request, kind: .download, download: Download(plan), uploadProgress: nil,
      downloadProgress: progress, ending)
  }
}

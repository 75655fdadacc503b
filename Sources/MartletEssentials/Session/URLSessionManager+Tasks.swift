public import EssentialFoundation
public import MartletCore
import NIOCore

/// The tasks of a session, and data tasks.
extension URLSessionManager {
  /// The tasks that are not over, in the order in which they were made.
  public var tasks: [SessionTask] { registry.tasks }
  /// The data tasks that are not over.
  public var dataTasks: [SessionTask] { tasks.filter { $0.kind == .data } }
  /// The upload tasks that are not over.
  public var uploadTasks: [SessionTask] { tasks.filter { $0.kind == .upload } }
  /// The download tasks that are not over.
  public var downloadTasks: [SessionTask] { tasks.filter { $0.kind == .download } }

  /// Whether a task belongs to this session and is not over.
  package func contains(_ task: SessionTask) -> Bool { registry.contains(task) }

  /// Sends a request and returns its response, as soon as its `delivery` allows.
  ///
  /// - Throws: `MartletError`; `.cancelled` when the calling task is cancelled.
  public func send(_ request: Request) async throws -> Response {
    try await runner.perform(registry.add(request), over: runner.sessionPipeline)
  }

  /// Sends a request in a task of any kind, and returns its response.
  ///
  /// - Parameters:
  ///   - request: What to send.
  ///   - kind: The kind of the task. The default is `.data`.
  ///   - download: The download, if the response goes into a file. The default is none.
  ///   - observe: Called with the task's call before the request is sent.
  /// - Returns: The response.
  /// - Throws: `MartletError`.
  @inline(never)
  func send(
    _ request: Request, kind: SessionTask.Kind = .data, download: DownloadContext? = nil,
    observe: (Call) -> Void
  ) async throws(MartletError) -> Response {
    // Not inlined, because its variables would be in the frame of callers that do not observe.
    let task = registry.add(request, kind: kind, download: download)
    observe(task.call)
    return try await runner.perform(task, over: runner.sessionPipeline)
  }

  /// Makes a task that begins when it is resumed, and calls a completion at its end.
  ///
  /// - Parameters:
  ///   - request: What to send.
  ///   - completion: Called once, on `completionQueue`.
  /// - Returns: The task, suspended (SES-T4).
  public func dataTask(with request: Request, completion: @escaping Completion) -> SessionTask {
    dataTask(with: request) { task, object, error in completion(task.response, object, error) }
  }

  /// The same, with a completion that also receives the task.
  func dataTask(
    with request: Request, kind: SessionTask.Kind = .data, queue: DispatchQueue? = nil,
    completion: @escaping TaskRunner.Completion
  ) -> SessionTask {
    let serializer = responseSerializer
    let handling = TaskRunner.ResponseHandling(
      serializer: serializer,
      outcome: { task, response in
        guard task.kind == .download else { return await serializer.outcome(of: response) }
        return await serializer.outcome(ofDownload: response, of: task, to: nil) {
          await serializer.outcome(of: $0).error
        }
      }, completion: completion, queue: queue)
    return task(with: request, kind: kind, handling)
  }

  /// Makes a suspended task, whose response is handled according to `handling`.
  func task(
    with request: Request, kind: SessionTask.Kind, download: DownloadContext? = nil,
    _ handling: TaskRunner.ResponseHandling
  ) -> SessionTask {
    registry.add(request, kind: kind, download: download) {
      [runner, sessionPipeline = runner.sessionPipeline] task in
      runner.begin(task, over: sessionPipeline, handling)
    }
  }
}

/// Upload tasks.
extension URLSessionManager {
  /// Makes a task that sends a file.
  ///
  /// The file is read while it is sent. If it cannot be read, no task is made (SES-T5).
  ///
  /// - Parameters:
  ///   - request: What to send; its body is replaced.
  ///   - file: The file.
  ///   - completion: Called once, on `completionQueue`.
  /// - Returns: The task, suspended (SES-T4).
  /// - Throws: What `RequestBody.file(at:offset:length:)` throws.
  public func uploadTask(
    with request: Request, fromFile file: URL,
    completion: @escaping Completion
  ) throws(MartletError) -> SessionTask {
    uploadTask(with: request, try .file(at: file), completion: completion)
  }

  /// Makes a task that sends bytes.
  ///
  /// - Parameters:
  ///   - request: What to send; its body is replaced.
  ///   - data: The bytes; `nil` for an empty body (SES-T6).
  ///   - completion: Called once, on `completionQueue`.
  /// - Returns: The task, suspended (SES-T4).
  public func uploadTask(
    with request: Request, from data: Data?,
    completion: @escaping Completion
  ) -> SessionTask {
    uploadTask(with: request, .data(data ?? Data()), completion: completion)
  }

  /// Makes a task that sends the body of its request, a stream for example.
  ///
  /// - Parameters:
  ///   - request: What to send.
  ///   - completion: Called once, on `completionQueue`.
  /// - Returns: The task, suspended (SES-T4).
  public func uploadTask(
    withStreamedRequest request: Request,
    completion: @escaping Completion
  ) -> SessionTask {
    uploadTask(with: request, request.body, completion: completion)
  }

  private func uploadTask(
    with request: Request, _ body: RequestBody, completion: @escaping Completion
  ) -> SessionTask {
    var request = request
    request.body = body
    return dataTask(with: request, kind: .upload) { task, object, error in
      completion(task.response, object, error)
    }
  }
}

/// Download tasks.
extension URLSessionManager {
  /// Returns the destination of a downloaded file, given its temporary URL and the response.
  ///
  /// It must be quick. When it returns `nil`, the file is deleted (SES-D3).
  public typealias DownloadDestination =
    @Sendable (_ temporaryFile: URL, _ response: Response) -> URL?
  /// Called at the end of a download with the response, if one arrived, the URL of the file, and the error.
  ///
  /// For a response that is not acceptable, both are present: the file, which holds its body, and the error (SES-D8).
  /// A task that resumes an earlier download has no file then.
  public typealias DownloadCompletion =
    @Sendable (_ response: Response?, _ file: URL?, _ error: MartletError?) -> Void

  /// Makes a task that downloads to a file, without holding the body in memory.
  ///
  /// The response serializer checks the response without its body, so that a content type is never an error (SES-C16).
  /// The file is moved to its destination. The destination's folder must exist, and there must be no file at the
  /// destination; otherwise the task fails, and the file is deleted (SES-D6 differs: there the completion receives no
  /// error). The file must match the `Repr-Digest` or `Content-Digest` of the response, unless the body is compressed.
  ///
  /// After a failure, the partial file is kept if the download can be resumed, and the error has `resumeData`. After
  /// `cancel()`, the partial file is removed.
  ///
  /// - Parameters:
  ///   - request: What to send; its delivery is replaced.
  ///   - destination: Returns the destination of the file. With the default, `nil`, the file is deleted.
  ///   - completion: Called once, on `completionQueue`.
  /// - Returns: The task, suspended (SES-T4).
  public func downloadTask(
    with request: Request,
    destination: DownloadDestination? = nil, completion: @escaping DownloadCompletion
  ) -> SessionTask {
    let serializer = responseSerializer
    let plan = DownloadPlan(
      partial: .temporaryDownload, rejection: serializer.rejection(of:data:))
    return downloadTask(request, plan, destination, completion) { response in
      await serializer.outcome(of: response).error
    }
  }

  /// Makes a task that resumes an earlier download where it ended (SES-D9).
  ///
  /// The task requests the missing bytes, or the whole body if the resource has changed. Progress includes the bytes of
  /// the partial file (SES-P4). A status that is not acceptable is an error, and leaves the partial file unchanged.
  /// Status 416 is not an error when the response shows that the partial file is complete.
  ///
  /// - Parameters:
  ///   - resumeData: The resume data of the earlier download, with the URL and the header fields of the request.
  ///   - destination: Returns the destination of the file. With the default, `nil`, the file is deleted.
  ///   - completion: Called once, on `completionQueue`; with an error of code `.invalidResumeData` when the
  ///     partial file is gone.
  /// - Returns: The task, suspended (SES-T4).
  public func downloadTask(
    withResumeData resumeData: ResumeData,
    destination: DownloadDestination? = nil, completion: @escaping DownloadCompletion
  ) -> SessionTask {
    let serializer = responseSerializer
    var plan = DownloadPlan(
      partial: resumeData.file, resuming: resumeData,
      rejection: serializer.rejection(of:data:))
    plan.accepts = { serializer.accepts($0, of: resumeData.url) }
    // A response that is not acceptable fails before this check.
    return downloadTask(resumeData.request, plan, destination, completion) { _ in nil }
  }

  private func downloadTask(
    _ request: Request, _ plan: DownloadPlan, _ destination: DownloadDestination?,
    _ completion: @escaping DownloadCompletion,
    check: @escaping @Sendable (Response) async -> MartletError?
  ) -> SessionTask {
    let serializer = responseSerializer
    let handling = TaskRunner.ResponseHandling(
      serializer: serializer,
      outcome: { task, response in
        await serializer.outcome(ofDownload: response, of: task, to: destination, check: check)
      }, completion: { task, file, error in completion(task.response, file as? URL, error) })
    return task(with: request, kind: .download, download: DownloadContext(plan), handling)
  }
}

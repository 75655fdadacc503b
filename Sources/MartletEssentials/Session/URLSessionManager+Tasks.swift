public import EssentialFoundation
public import MartletCore
import NIOCore

/// The tasks of a session, and those for data.
extension URLSessionManager {
  /// The tasks that are not over, in the order in which they were made.
  public var tasks: [SessionTask] { registry.tasks }
  /// Those of them that are for data.
  public var dataTasks: [SessionTask] { tasks.filter { $0.kind == .data } }
  /// Those that upload.
  public var uploadTasks: [SessionTask] { tasks.filter { $0.kind == .upload } }
  /// Those that download to files.
  public var downloadTasks: [SessionTask] { tasks.filter { $0.kind == .download } }

  /// Whether a task is this session's, and not over.
  package func contains(_ task: SessionTask) -> Bool { registry.contains(task) }

  /// Sends a request and returns its response, as soon as its `delivery` allows.
  ///
  /// - Throws: `MartletError`; `.cancelled` when the calling task is cancelled.
  public func send(_ request: Request) async throws -> Response {
    try await runner.perform(registry.add(request), over: runner.sessionPipeline)
  }

  /// Sends a request for the sake of its body, and returns its response.
  func upload(_ request: Request) async throws(MartletError) -> Response {
    try await runner.perform(registry.add(request, kind: .upload), over: runner.sessionPipeline)
  }

  /// A task that begins when it is resumed, and ends with a completion.
  ///
  /// - Parameters:
  ///   - request: What to send.
  ///   - completion: Called once, on `completionQueue`.
  /// - Returns: The task, suspended (SES-T4).
  public func dataTask(with request: Request, completion: @escaping Completion) -> SessionTask {
    dataTask(with: request) { task, object, error in completion(task.response, object, error) }
  }

  /// The same with the task.
  func dataTask(
    with request: Request, kind: SessionTask.Kind = .data, queue: DispatchQueue? = nil,
    completion: @escaping TaskRunner.Completion
  ) -> SessionTask {
    let serializer = responseSerializer
    let ending = TaskRunner.ResponseHandling(
      serializer: serializer,
      outcome: { task, response in
        guard task.kind == .download else { return await serializer.outcome(of: response) }
        return await serializer.outcome(ofDownload: response, of: task, to: nil) {
          await serializer.outcome(of: $0).error
        }
      }, completion: completion, queue: queue)
    return task(with: request, kind: kind, ending)
  }

  /// A task, suspended, that makes of its response what `ending` says.
  func task(
    with request: Request, kind: SessionTask.Kind, download: DownloadContext? = nil,
    _ ending: TaskRunner.ResponseHandling
  ) -> SessionTask {
    registry.add(request, kind: kind, download: download) {
      [runner, route = runner.sessionPipeline] task in
      runner.begin(task, over: route, ending)
    }
  }
}

/// Tasks for the sake of a request's body.
extension URLSessionManager {
  /// A task that sends a file.
  ///
  /// The file is read while it is sent. One that cannot be read makes no task (SES-T5).
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

  /// A task that sends bytes.
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

  /// A task that sends the body that its request has, a stream for example.
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
  ///   - destination: Where the file goes. The default, `nil`, deletes it.
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

  /// A task that goes on with a download where an earlier one ended (SES-D9).
  ///
  /// The server is asked for the missing bytes, and for all of them when it has something else by now. Progress
  /// begins with what is there (SES-P4). A status that is not acceptable is an error, and leaves the partial
  /// file as it was; 416 is none when it says that the partial file is whole.
  ///
  /// - Parameters:
  ///   - resumeData: What the earlier download left. Its URL and header fields make the request.
  ///   - destination: Where the file goes. The default, `nil`, deletes it.
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
    // Nothing that is not acceptable gets as far as the check.
    return downloadTask(resumeData.request, plan, destination, completion) { _ in nil }
  }

  private func downloadTask(
    _ request: Request, _ plan: DownloadPlan, _ destination: DownloadDestination?,
    _ completion: @escaping DownloadCompletion,
    check: @escaping @Sendable (Response) async -> MartletError?
  ) -> SessionTask {
    let serializer = responseSerializer
    let ending = TaskRunner.ResponseHandling(
      serializer: serializer,
      outcome: { task, response in
        await serializer.outcome(ofDownload: response, of: task, to: destination, check: check)
      }, completion: { task, file, error in completion(task.response, file as? URL, error) })
    return task(with: request, kind: .download, download: DownloadContext(plan), ending)
  }
}

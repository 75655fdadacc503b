public import Foundation
public import MartletCore

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

  /// The live progress of a task's upload; `nil` for a task that is over, or another session's (SES-P6). See
  /// ``SessionTask/uploadProgress`` for where it may be read.
  public func uploadProgress(for task: SessionTask) -> Progress? {
    registry.contains(task) ? task.progress.upload : nil
  }

  /// The live progress of a task's download; `nil` for a task that is over, or another session's. See
  /// ``SessionTask/uploadProgress`` for where it may be read.
  public func downloadProgress(for task: SessionTask) -> Progress? {
    registry.contains(task) ? task.progress.download : nil
  }

  /// Sends a request and returns its response, as soon as its `delivery` allows.
  ///
  /// - Throws: `MartletError`; `.cancelled` when the calling task is cancelled.
  public func send(_ request: Request) async throws -> Response {
    try await runner.perform(registry.add(request), over: runner.route)
  }

  /// Sends a request for the sake of its body, and returns its response.
  func upload(_ request: Request) async throws(MartletError) -> Response {
    try await runner.perform(registry.add(request, kind: .upload), over: runner.route)
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
    dataTask(
      with: request, uploadProgress: uploadProgress, downloadProgress: downloadProgress
    ) { task, object, error in completion(task.response, object, error) }
  }

  /// The same with the task.
  func dataTask(
    with request: Request, kind: SessionTask.Kind = .data, uploadProgress: ProgressHandler?,
    downloadProgress: ProgressHandler?, queue: DispatchQueue? = nil,
    completion: @escaping TaskRunner.Completion
  ) -> SessionTask {
    let serializer = responseSerializer
    let ending = TaskRunner.Ending(
      serializer: serializer,
      outcome: { task, response in
        guard task.kind == .download else { return await serializer.outcome(of: response) }
        return await serializer.outcome(ofDownload: response, of: task, to: nil) {
          await serializer.outcome(of: $0).error
        }
      }, completion: completion, queue: queue)
    return task(
      with: request, kind: kind, uploadProgress: uploadProgress,
      downloadProgress: downloadProgress, ending)
  }

  /// A task, suspended, that makes of its response what `ending` says.
  func task(
    with request: Request, kind: SessionTask.Kind, download: Download? = nil,
    uploadProgress: ProgressHandler?, downloadProgress: ProgressHandler?,
    _ ending: TaskRunner.Ending
  ) -> SessionTask {
    let task = registry.add(request, kind: kind, download: download) {
      [runner, route = runner.route] task in
      runner.begin(task, over: route, ending)
    }
    if uploadProgress != nil || downloadProgress != nil {
      task.progress.tell(
        ProgressPair.Audience(upload: uploadProgress, download: downloadProgress))
    }
    return task
  }
}

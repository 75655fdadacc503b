import EssentialFoundation
import MartletCore
import NIOCore

/// The operations of the session on a task.
extension SessionTask {
  /// Calls the session's hook `onData`, if it is set, with a piece of the body.
  func reportData(_ data: ByteBuffer) {
    hooks?.notify(\.onData) { [self] in $0(self, data) }
  }

  /// Calls a progress handler on the session's queue, so that it is never called after the completion. The handler is
  /// released when the task is over.
  ///
  /// - Parameters:
  ///   - handler: The handler; `nil` for none.
  ///   - observe: Begins to observe the call.
  func callOnQueue(
    _ handler: TransferProgress.Handler?,
    _ observe: (Call, @escaping TransferProgress.Handler) -> Void
  ) {
    guard let handler else { return }
    let current = Locked<TransferProgress.Handler?>(handler)
    let queue = registry.queue
    observe(call) { progress in queue.async { current.current?(progress) } }
    onCompletion { _ in queue.async { _ = current.withLock { $0.take() } } }
  }

  /// Makes the task a download: the response goes into a file (SES-T8).
  func becomeDownload() {
    status.withLock { $0.kind = .download }
    hooks?.notify(\.onBecomeDownload) { [self] in $0(self) }
  }

  /// Makes `cancel()` cancel the Swift task that runs the pipeline, too, or a part of the pipeline.
  ///
  /// - Returns: Whether it does so: not for a part of work that `cancel()` cancels already.
  func beginWork(_ work: Task<Response, any Error>) -> Bool {
    let (isOutermost, isCanceling) = status.withLock { status in
      let isOutermost = status.work == nil
      if isOutermost { status.work = work }
      return (isOutermost, status.state == .canceling)
    }
    if isCanceling { work.cancel() }
    return isOutermost
  }

  /// Forgets work that is over.
  func endWork() {
    status.withLock { $0.work = nil }
  }

  /// Throws when the task must not be sent.
  func checkMaySend() throws(MartletError) {
    guard state != .canceling else { throw .cancelled }
    guard !wasSessionInvalidated else { throw .shutDown }
  }

  /// Records the response, unless the task was cancelled before it arrived.
  ///
  /// - Returns: The response for the caller. When its body is a stream, the task continues until the body has ended.
  /// - Throws: `MartletError` with code `.cancelled` if the task was cancelled.
  func complete(with response: Response) throws(MartletError) -> Response {
    var response = response
    if !response.hasRequest { response.request = currentRequest }
    let isStream = response.body.kind == .streamed
    if call.observesBodies, response.body.kind == .buffered, let bytes = response.body.bytes {
      call.report(bytes: bytes)
    }
    let isRecorded =
      isStream
      ? status.withLock { $0.beginReading(response) } : end { $0.succeed(response) }
    guard isRecorded else {
      discardFile(of: response)
      throw .cancelled
    }
    guard isStream else { return response }
    response.body = ResponseBody(stream: TaskTrackingBody(response.body, of: self))
    return response
  }

  /// Records a complete response that is processed before the task is over.
  ///
  /// - Throws: `MartletError` with code `.cancelled` if the task was cancelled.
  func receive(_ response: Response) throws(MartletError) {
    guard status.withLock({ $0.receive(response) }) else {
      discardFile(of: response)
      throw .cancelled
    }
  }

  /// Removes the downloaded file of a response that the caller does not receive, if only the task knows the file.
  private func discardFile(of response: Response) {
    guard kind == .download, download?.plan.isTemporary ?? true, let file = response.body.file
    else { return }
    try? FileManager.default.removeItem(at: file)
  }

  /// Records that the body has been read to its end.
  func finishReading(_ completion: ResponseBody.Completion?) {
    end { $0.finishReading(completion) }
  }

  /// Ends the task with an error, unless it is over already.
  ///
  /// - Returns: The error, with a request that can be sent again: it does not have this task's call.
  func fail(with error: MartletError) -> MartletError {
    var error = error
    if error.request == nil { error.request = originalRequest }
    if originalRequest.call == nil, error.request?.call === call {
      error.request?.call = nil
    }
    end { [error] in $0.fail(error) }
    return error
  }

  /// Calls `handler` once the task is over, at once if it is over already.
  func onCompletion(_ handler: @escaping TaskStatus.CompletionHandler) {
    let (isOver, progress) = status.withLock { (!$0.addCompletionHandler(handler), $0.progress) }
    if isOver { runCompletionHandlers([handler], after: progress) }
  }

  /// Calls `handlers` after the last update of the task's `Progress`, which they may read.
  private func runCompletionHandlers(
    _ handlers: [TaskStatus.CompletionHandler], after progress: (any ProgressWriter)?
  ) {
    guard !handlers.isEmpty else { return }
    guard let progress else { return handlers.forEach { $0(self) } }
    progress.afterWriting { [self] in handlers.forEach { $0(self) } }
  }

  /// Ends the task if `change` returns true. The registry removes it under the same lock, so that it never lists a task
  /// that is over.
  @discardableResult
  private func end(_ change: (inout TaskStatus) -> Bool) -> Bool {
    let work: CompletionWork? = status.withLock { status in
      guard change(&status) else { return nil }
      return CompletionWork(
        progress: status.progress, completionHandlers: status.takeCompletionHandlers(),
        hasInvalidationHandlers: registry.remove(self))
    }
    guard let work else { return false }
    call.endTask(error)
    work.progress?.end()
    runCompletionHandlers(work.completionHandlers, after: work.progress)
    if work.hasInvalidationHandlers { registry.runInvalidationHandlers() }
    return true
  }

  /// The work that remains once a task is over.
  private struct CompletionWork {
    var progress: (any ProgressWriter)?
    var completionHandlers: [TaskStatus.CompletionHandler]
    var hasInvalidationHandlers: Bool
  }
}

/// The body of a streamed response, which reports its end to its task.
final class TaskTrackingBody: ResponseBodySource {
  private let body: ResponseBody
  private let task: SessionTask

  init(_ body: ResponseBody, of task: SessionTask) {
    self.body = body
    self.task = task
  }

  func next() async throws -> ByteBuffer? {
    // A custom transport may ignore the call, so that it continues after a cancellation.
    if let error = task.error, error.code == .cancelled { throw error }
    if task.call.isCancelled { throw task.fail(with: .cancelled) }
    var chunks = body.makeAsyncIterator()
    do {
      if let chunk = try await chunks.next() {
        task.reportData(chunk)
        task.call.report(bytes: chunk)
        return chunk
      }
    } catch {
      throw task.fail(with: .wrapping(error))
    }
    task.finishReading(body.completion)
    return nil
  }

  func abandon() {
    let isCancelled = Task.isCancelled || task.call.isCancelled
    guard let completion = body.completion, !isCancelled else {
      // Before the task is over, because the event loops may be shut down then.
      body.cancel()
      _ = task.fail(with: .cancelled)
      return
    }
    task.finishReading(completion)
    body.cancel()
  }

  var completion: ResponseBody.Completion? { body.completion }
}

import EssentialFoundation
import MartletCore
import MartletTransport
import NIOCore

/// Takes a session's tasks through its pipeline, and tells how they ended.
///
/// It has the session's parts and not the session, so that no task keeps its session alive.
struct TaskRunner: Sendable {
  typealias Completion = @Sendable (SessionTask, (any Sendable)?, MartletError?) -> Void
  /// What becomes of a response.
  typealias Outcome = @Sendable (SessionTask, Response) async -> SerializationOutcome

  /// What checks a task's response, and what is done with it.
  struct ResponseHandling: Sendable {
    var serializer: any HTTPResponseSerializing
    var outcome: Outcome
    var completion: Completion
    /// Where `completion` runs, in place of the session's queue.
    var queue: DispatchQueue?
  }

  /// Where completions run; `nil` is the main queue.
  let completionQueue = Locked<DispatchQueue?>(nil)
  /// What completions are counted in.
  let completionGroup = Locked<DispatchGroup?>(nil)
  /// Progress closures and hooks run here, one at a time and in order; completions pass through.
  let queue = DispatchQueue(label: "martlet.session")
  private let configuration: SessionConfiguration
  private let currentPipeline: Locked<SessionPipeline>

  init(_ configuration: SessionConfiguration) {
    self.configuration = configuration
    currentPipeline = Locked(SessionPipeline(configuration))
  }

  /// The way of the tasks that are made now.
  var sessionPipeline: SessionPipeline { currentPipeline.current }

  /// Makes a new way, with connections of its own; those of the old one are closed when its tasks are over.
  func resetPipeline() {
    let new = SessionPipeline(configuration)
    // The old one goes behind the lock, for it may close connections.
    _ = currentPipeline.withLock { current in
      defer { current = new }
      return current
    }
  }

  /// Sends a task's request, for an async caller.
  func perform(
    _ task: SessionTask, over sessionPipeline: SessionPipeline
  ) async throws(MartletError) -> Response {
    do {
      return try task.complete(with: try await send(task, over: sessionPipeline))
    } catch {
      throw task.fail(with: .wrapping(error))
    }
  }

  private func send(_ task: SessionTask, over sessionPipeline: SessionPipeline) async throws
    -> Response
  {
    try task.checkMaySend()
    return try await sessionPipeline.pipeline.send(task.request, of: task)
  }

  /// Begins with a task, for a completion.
  func begin(_ task: SessionTask, over sessionPipeline: SessionPipeline, _ ending: ResponseHandling)
  {
    let group = completionGroup.current
    group?.enter()
    Task {
      let outcome = await outcome(of: task, over: sessionPipeline, ending.outcome)
      let completion = SessionTaskCompletion(task, ending.serializer, outcome)
      // Behind the progress closures and the hooks, so that none of them is called after the end.
      queue.async { [completionQueue] in
        (ending.queue ?? completionQueue.current ?? .main).async {
          ending.completion(task, outcome.object, outcome.error)
          group?.leave()
          task.notify(.completed, completion)
        }
      }
    }
  }

  /// Sends a task's request.
  ///
  /// Serialization runs here, on no actor, and for several tasks at a time (SES-C12).
  @concurrent
  private func outcome(
    of task: SessionTask, over sessionPipeline: SessionPipeline, _ outcome: Outcome
  )
    async
    -> SerializationOutcome
  {
    do {
      var response = try await send(task, over: sessionPipeline)
      guard task.kind == .download, response.body.file != nil else {
        return await outcome(task, try task.complete(with: response))
      }
      // A download is over when its file has its place, and not before.
      try task.receive(response)
      let outcome = await outcome(task, response)
      if let error = outcome.error, error.code == .fileNotWritable { throw error }
      response.body = ResponseBody(file: outcome.object as? URL, of: response)
      _ = try task.complete(with: response)
      return outcome
    } catch {
      return SerializationOutcome(error: task.fail(with: .wrapping(error)))
    }
  }
}

extension MartletError {
  /// Any error as the one that Martlet throws.
  static func wrapping(_ error: any Error) -> MartletError {
    if let error = error as? MartletError { return error }
    if error is CancellationError { return .cancelled }
    return MartletError(.connectionLost, "The request failed: \(error).", underlying: error)
  }
}

extension ResponseBody {
  /// The body of a response that went into a file: where the file is now, or nothing when it is gone.
  fileprivate init(file: URL?, of response: Response) {
    let completion = response.body.completion
    self =
      file.map { ResponseBody(file: $0, completion: completion) }
      ?? ResponseBody(bytes: ByteBuffer(), completion: completion)
  }
}

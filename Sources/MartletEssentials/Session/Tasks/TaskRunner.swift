import EssentialFoundation
import MartletCore
import MartletTransport
import NIOCore

/// Sends a session's tasks through its pipeline, and calls their completions.
///
/// It refers to parts of the session, not to the session itself, so that no task keeps its session alive.
struct TaskRunner: Sendable {
  typealias Completion = @Sendable (SessionTask, (any Sendable)?, MartletError?) -> Void
  /// Makes an object or a file of a response.
  typealias Outcome = @Sendable (SessionTask, Response) async -> SerializationOutcome

  /// How a task's response is checked, processed and reported.
  struct ResponseHandling: Sendable {
    var serializer: any HTTPResponseSerializing
    var outcome: Outcome
    var completion: Completion
    /// The queue on which `completion` runs, in place of the session's `completionQueue`.
    var queue: DispatchQueue?
  }

  /// The queue on which completions run; `nil` is the main queue.
  let completionQueue = Locked<DispatchQueue?>(nil)
  /// The group that tasks enter at their beginning, and leave after their completion.
  let completionGroup = Locked<DispatchGroup?>(nil)
  /// The queue on which progress closures and hooks run, one at a time and in order. Completions pass through it.
  let queue = DispatchQueue(label: "martlet.session")
  private let configuration: SessionConfiguration
  private let currentPipeline: Locked<SessionPipeline>
  /// The engines that the session has had; a custom transport is none of them.
  private let engines = EngineGroup()

  init(_ configuration: SessionConfiguration) {
    self.configuration = configuration
    currentPipeline = Locked(SessionPipeline(configuration, engines: engines))
  }

  /// The pipeline of the tasks that are made now.
  var sessionPipeline: SessionPipeline { currentPipeline.current }

  /// Makes a new pipeline with its own connections. The old connections are closed when their tasks are over. A custom
  /// transport stays as it is.
  ///
  /// - Returns: The old pipeline, which is to be released outside of all locks: it may close connections.
  func resetPipeline(under policy: SecurityPolicy) -> SessionPipeline {
    var configuration = configuration
    configuration.securityPolicy = policy
    let new = SessionPipeline(configuration, engines: engines)
    return currentPipeline.withLock { current in
      defer { current = new }
      ownEngine(of: current).map(engines.addReplaced)
      return current
    }
  }

  /// Closes all connections, and waits for the work on other threads that needs the event loops. A custom transport stays open.
  func closeEngines() async {
    guard let engine = ownEngine(of: sessionPipeline) else { return }
    await engines.close(engine)
  }

  private func ownEngine(of sessionPipeline: SessionPipeline) -> HTTPTransport? {
    configuration.transport == nil ? sessionPipeline.engine : nil
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

  /// Begins a task that has a completion.
  func begin(
    _ task: SessionTask, over sessionPipeline: SessionPipeline, _ handling: ResponseHandling
  ) {
    let group = completionGroup.current
    group?.enter()
    Task {
      let outcome = await outcome(of: task, over: sessionPipeline, handling.outcome)
      let completion = SessionTaskCompletion(task, handling.serializer, outcome)
      // After the progress closures and the hooks, so that none of them is called after the completion.
      queue.async { [completionQueue] in
        (handling.queue ?? completionQueue.current ?? .main).async {
          handling.completion(task, outcome.object, outcome.error)
          group?.leave()
          task.notify(.completed, completion)
        }
      }
    }
  }

  /// Sends a task's request, and processes the response.
  ///
  /// Serialization runs here, on no actor, and for several tasks at the same time (SES-C12).
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
      // A download is over only when its file is at its destination.
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
  /// Returns any error as a `MartletError`.
  static func wrapping(_ error: any Error) -> MartletError {
    if let error = error as? MartletError { return error }
    if error is CancellationError { return .cancelled }
    return MartletError(.connectionLost, "The request failed: \(error).", underlying: error)
  }
}

extension ResponseBody {
  /// The body of a response that was downloaded: the file at its current URL, or no bytes when the file was deleted.
  fileprivate init(file: URL?, of response: Response) {
    let completion = response.body.completion
    self =
      file.map { ResponseBody(file: $0, completion: completion) }
      ?? ResponseBody(bytes: ByteBuffer(), completion: completion)
  }
}

public import Foundation
public import MartletCore

/// Owns an engine and the tasks that run on it, and turns responses into objects.
///
/// Safe to use from any thread. What can be changed may be changed at any time; a task uses what was
/// set when it was made.
public final class URLSessionManager: Sendable {
  /// Called at the end of a task, with the response if one came, the object that the response
  /// serializer made of it, and the error. Object and error may both be there (SES-C10).
  public typealias Completion =
    @Sendable (_ response: Response?, _ object: (any Sendable)?, _ error: MartletError?) -> Void
  /// Called after each chunk with an up-to-date `Progress`.
  public typealias ProgressHandler = @Sendable (Progress) -> Void

  private struct Settings {
    var responseSerializer: any ResponseSerializing
    var completionQueue: DispatchQueue?
  }

  /// What the session was made with.
  public let configuration: SessionConfiguration
  private let pipeline: Pipeline
  private let settings: Locked<Settings>
  private let registry = TaskRegistry()
  /// Progress closures run here, one at a time and in order; completions pass through.
  private let queue = DispatchQueue(label: "martlet.session")

  /// A session.
  ///
  /// - Parameter configuration: The default has the documented defaults.
  public init(configuration: SessionConfiguration = SessionConfiguration()) {
    self.configuration = configuration
    pipeline = configuration.makePipeline()
    settings = Locked(Settings(responseSerializer: JSONResponseSerializer()))
  }

  // MARK: Settings

  /// Makes objects of responses for completions. The default is ``JSONResponseSerializer``.
  public var responseSerializer: any ResponseSerializing {
    get { settings.withLock { $0.responseSerializer } }
    set { settings.withLock { $0.responseSerializer = newValue } }
  }

  /// Where completions run. The default, `nil`, is the main queue (SES-C8).
  public var completionQueue: DispatchQueue? {
    get { settings.withLock { $0.completionQueue } }
    set { settings.withLock { $0.completionQueue = newValue } }
  }

  // MARK: Tasks

  /// The tasks that are not over, in the order in which they were made.
  public var tasks: [SessionTask] { registry.tasks }

  /// Sends a request and returns its response, as soon as its `delivery` allows.
  ///
  /// - Throws: `MartletError`; `.cancelled` when the calling task is cancelled.
  public func send(_ request: Request) async throws -> Response {
    try await perform(registry.add(request))
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
      with: request, serializer: responseSerializer, uploadProgress: uploadProgress,
      downloadProgress: downloadProgress
    ) { task, object, error in completion(task.response, object, error) }
  }

  /// The same for whoever brings a serializer, and wants to know the task.
  func dataTask(
    with request: Request, serializer: any ResponseSerializing, uploadProgress: ProgressHandler?,
    downloadProgress: ProgressHandler?,
    completion: @escaping @Sendable (SessionTask, (any Sendable)?, MartletError?) -> Void
  ) -> SessionTask {
    let task = registry.add(request) { task in
      Task { await self.run(task, serializer: serializer, completion: completion) }
    }
    report(task, uploadProgress, downloadProgress)
    return task
  }

  /// Whether the session takes no more requests.
  public var isInvalid: Bool { registry.isInvalid }

  /// Refuses the requests that are made from now on, with an error of code `.shutDown`.
  ///
  /// - Parameter cancelingTasks: Whether the tasks that are not over are cancelled, begun or not;
  ///   otherwise they are let finish (SES-L6).
  public func invalidate(cancelingTasks: Bool) {
    let tasks = registry.invalidate()
    if cancelingTasks { tasks.forEach { $0.cancel() } }
  }

  // MARK: Both forms end here

  private func perform(_ task: SessionTask) async throws -> Response {
    do {
      try task.checkStanding()
      return try task.complete(with: try await response(for: task))
    } catch {
      throw task.fail(with: error as? MartletError ?? .wrapping(error))
    }
  }

  /// The engine hears of a cancellation through the exchange, steps and transports of the application's
  /// own only through a Swift task; without any, the price of one is saved.
  private func response(for task: SessionTask) async throws -> Response {
    guard !configuration.steps.isEmpty || configuration.transport != nil else {
      return try await pipeline.send(task.request)
    }
    let work = Task { [pipeline] in
      try Task.checkCancellation()
      return try await pipeline.send(task.request)
    }
    task.adopt(work)
    return try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      work.cancel()
    }
  }

  /// Serialization runs here, on no actor, and for several tasks at a time (SES-C12).
  @concurrent
  private func run(
    _ task: SessionTask, serializer: any ResponseSerializing,
    completion: @escaping @Sendable (SessionTask, (any Sendable)?, MartletError?) -> Void
  ) async {
    let outcome: SerializationOutcome
    do {
      outcome = await serializer.outcome(of: try await perform(task))
    } catch {
      outcome = SerializationOutcome(error: error as? MartletError ?? .wrapping(error))
    }
    // Behind the progress closures, so that nobody hears of progress after the end.
    queue.async { [completionQueue] in
      (completionQueue ?? .main).async { completion(task, outcome.object, outcome.error) }
    }
  }

  private func report(
    _ task: SessionTask, _ upload: ProgressHandler?, _ download: ProgressHandler?
  ) {
    guard upload != nil || download != nil else { return }
    let progress = task.progress
    task.exchange.observe { [queue] event in
      switch event {
      case .bodySent: upload.map { call in queue.async { call(progress.upload) } }
      case .received: download.map { call in queue.async { call(progress.download) } }
      default: break
      }
    }
  }
}

extension URLSessionManager: CustomStringConvertible {
  /// The session as text, such as `<URLSessionManager: 2 tasks>`.
  public var description: String {
    let (count, isInvalid) = (tasks.count, isInvalid)
    let tasks = count == 1 ? "1 task" : "\(count) tasks"
    return "<URLSessionManager: \(tasks)\(isInvalid ? ", invalidated" : "")>"
  }
}

extension MartletError {
  /// Any error as the one that Martlet throws.
  static func wrapping(_ error: any Error) -> MartletError {
    if error is CancellationError { return .cancelled }
    return MartletError(.connectionLost, "The request failed: \(error).", underlying: error)
  }
}

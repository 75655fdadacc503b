import MartletCore
import NIOCore

/// The state of a task, and its transitions: a value that the task changes under a lock.
struct TaskStatus {
  /// The parts of a task that a cancellation acts on.
  struct Cancellation {
    var start: SessionTask.Start?
    var work: Task<Response, any Error>?
    var isReading: Bool
  }

  typealias CompletionHandler = @Sendable (SessionTask) -> Void

  /// The parts that the task of an async call seldom has. They are in an object, so that such a task stays small.
  private struct Extras {
    var description: String?
    var work: Task<Response, any Error>?
    var progress: (any ProgressWriter)?
    var completionHandlers: [CompletionHandler] = []
    var start: SessionTask.Start?
  }

  var kind: SessionTask.Kind
  private(set) var state: SessionTask.State
  private(set) var response: Response?
  private(set) var error: MartletError?
  /// Whether the caller has the response, and its body is not read to the end yet.
  private(set) var isReading = false
  /// Whether the response is complete, and is processed before the task is over.
  private(set) var isReceived = false
  private var shared: Shared<Extras>?

  /// - Parameters:
  ///   - kind: The kind of the task.
  ///   - start: Begins the task when it is first resumed; a task without it is running from the start.
  init(kind: SessionTask.Kind, start: SessionTask.Start?) {
    self.kind = kind
    state = start == nil ? .running : .suspended
    if let start { extras.start = start }
  }

  private var extras: Extras {
    get { shared?.value ?? Extras() }
    set { shared = Shared(newValue) }
  }

  /// The application's `taskDescription`.
  var description: String? {
    get { shared?.value.description }
    set { extras.description = newValue }
  }

  /// The Swift task that a cancellation cancels.
  var work: Task<Response, any Error>? {
    get { shared?.value.work }
    set { if newValue != nil || work != nil { extras.work = newValue } }
  }

  /// What writes the progress of the task.
  var progress: (any ProgressWriter)? {
    get { shared?.value.progress }
    set { extras.progress = newValue }
  }

  // MARK: Suspending and resuming

  /// Resumes a suspended task. Returns false if it was not suspended.
  mutating func resume() -> Bool {
    guard state == .suspended else { return false }
    state = .running
    return true
  }

  /// Suspends a running task. Returns false if that was not possible.
  mutating func suspend() -> Bool {
    guard !isReceived, state == .running else { return false }
    state = .suspended
    return true
  }

  /// Returns the closure that begins the task; later calls return `nil`.
  mutating func takeStart() -> SessionTask.Start? {
    guard let start = shared?.value.start else { return nil }
    extras.start = nil
    return start
  }

  // MARK: The end

  /// Cancels the task, and returns the parts to act on; `nil` if it is over, received, or cancelled already.
  mutating func cancel() -> Cancellation? {
    guard !isReceived, state == .running || state == .suspended else { return nil }
    state = .canceling
    return Cancellation(start: takeStart(), work: work, isReading: isReading)
  }

  /// Records a response whose body is still to be read. Returns false if the task has been cancelled.
  ///
  /// The body is not recorded: only its reader refers to it, so that it ends when the reader releases it.
  mutating func beginReading(_ response: Response) -> Bool {
    guard state != .canceling else { return false }
    self.response = response.with(.empty)
    isReading = true
    return true
  }

  /// Records the completion of a body, and ends the task. Returns false if the task was not under way.
  mutating func finishReading(_ completion: ResponseBody.Completion?) -> Bool {
    guard state == .running || state == .suspended else { return false }
    response = response?.with(ResponseBody(bytes: ByteBuffer(), completion: completion))
    end()
    return true
  }

  /// Records a complete response that is processed before the end. Returns false if the task has been cancelled.
  ///
  /// Afterwards the task cannot be cancelled any more.
  mutating func receive(_ response: Response) -> Bool {
    guard state != .canceling else { return false }
    self.response = response
    isReceived = true
    return true
  }

  /// Records a complete response, and ends the task. Returns false if the task has been cancelled.
  mutating func succeed(_ response: Response) -> Bool {
    guard state != .canceling else { return false }
    self.response = response
    end()
    return true
  }

  /// Records an error, and ends the task. Returns false if the task was over already.
  mutating func fail(_ error: MartletError) -> Bool {
    guard state != .completed else { return false }
    self.error = error
    end()
    return true
  }

  /// Adds a closure that is called at the end of the task. Returns false if the task is over already.
  mutating func addCompletionHandler(_ handler: @escaping CompletionHandler) -> Bool {
    guard state != .completed else { return false }
    extras.completionHandlers.append(handler)
    return true
  }

  /// Returns the closures to call at the end of the task; later calls return none.
  mutating func takeCompletionHandlers() -> [CompletionHandler] {
    guard let handlers = shared?.value.completionHandlers, !handlers.isEmpty else { return [] }
    extras.completionHandlers = []
    return handlers
  }

  private mutating func end() {
    state = .completed
    isReading = false
    work = nil
  }
}

extension Response {
  fileprivate func with(_ body: ResponseBody) -> Response {
    var response = self
    response.body = body
    return response
  }
}

/// Writes the progress of a task until the task is over.
package protocol ProgressWriter: AnyObject, Sendable {
  /// Called when the task is over: nothing more is written.
  func end()
  /// Runs `work` after all pending writes.
  func afterWriting(_ work: @escaping @Sendable () -> Void)
}

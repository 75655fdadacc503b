import MartletCore
import NIOCore

/// How a task stands, and what may become of it: a value that its task changes under a lock.
struct TaskStatus {
  /// What a cancellation has to reach.
  struct Cancellation {
    var start: SessionTask.Start?
    var work: Task<Response, any Error>?
    var isReading: Bool
  }

  var kind: SessionTask.Kind
  /// What the application calls the task.
  var description: String?
  typealias CompletionHandler = @Sendable (SessionTask) -> Void

  private(set) var state: SessionTask.State
  private(set) var response: Response?
  private(set) var error: MartletError?
  /// Whether the response was handed out, and its body is still to be read.
  private(set) var isReading = false
  /// Whether the response is whole, and something is made of it before the task is over.
  private(set) var isReceived = false
  var work: Task<Response, any Error>?
  var progress: (any ProgressWriter)?
  /// The closures that are called when the task is over.
  private var completionHandlers: [CompletionHandler] = []
  private var start: SessionTask.Start?

  /// - Parameters:
  ///   - kind: What the task is for.
  ///   - start: Begins the task when it is first resumed; a task without is running already.
  init(kind: SessionTask.Kind, start: SessionTask.Start?) {
    self.kind = kind
    self.start = start
    state = start == nil ? .running : .suspended
  }

  // MARK: Held and let go

  /// Whether the task goes on now.
  mutating func resume() -> Bool {
    guard state == .suspended else { return false }
    state = .running
    return true
  }

  /// Whether the task is held now.
  mutating func suspend() -> Bool {
    guard !isReceived, state == .running else { return false }
    state = .suspended
    return true
  }

  /// What begins the task; handed out once.
  mutating func takeStart() -> SessionTask.Start? {
    defer { start = nil }
    return start
  }

  // MARK: The end

  /// What to cancel, unless the task is over, as good as over, or cancelled already.
  mutating func cancel() -> Cancellation? {
    guard !isReceived, state == .running || state == .suspended else { return nil }
    state = .canceling
    return Cancellation(start: takeStart(), work: work, isReading: isReading)
  }

  /// Takes a response whose body is still to be read; whether the task has not been cancelled.
  ///
  /// The body stays out: it is its reader's alone, and ends when the reader drops it.
  mutating func beginReading(_ response: Response) -> Bool {
    guard state != .canceling else { return false }
    self.response = response.with(.empty)
    isReading = true
    return true
  }

  /// Takes what is known at the end of a body; whether the task is over now.
  mutating func finishReading(_ completion: ResponseBody.Completion?) -> Bool {
    guard state == .running || state == .suspended else { return false }
    response = response?.with(ResponseBody(bytes: ByteBuffer(), completion: completion))
    end()
    return true
  }

  /// Takes a whole response, of which something is made first; whether the task has not been cancelled. From
  /// now on it cannot be.
  mutating func receive(_ response: Response) -> Bool {
    guard state != .canceling else { return false }
    self.response = response
    isReceived = true
    return true
  }

  /// Takes a whole response; whether the task is over now, and not cancelled.
  mutating func succeed(_ response: Response) -> Bool {
    guard state != .canceling else { return false }
    self.response = response
    end()
    return true
  }

  /// Takes an error; whether it ends the task, which was not over before.
  mutating func fail(_ error: MartletError) -> Bool {
    guard state != .completed else { return false }
    self.error = error
    end()
    return true
  }

  /// Takes a closure for the end; whether that is still to come.
  mutating func addCompletionHandler(_ handler: @escaping CompletionHandler) -> Bool {
    guard state != .completed else { return false }
    completionHandlers.append(handler)
    return true
  }

  /// Who is to be told; handed out once.
  mutating func takeCompletionHandlers() -> [CompletionHandler] {
    defer { completionHandlers = [] }
    return completionHandlers
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

/// What shows how far a task has come, until the task is over.
package protocol ProgressWriter: AnyObject, Sendable {
  /// The task is over: nothing more is written.
  func end()
  /// Runs `work` behind what is still to be written.
  func afterWriting(_ work: @escaping @Sendable () -> Void)
}

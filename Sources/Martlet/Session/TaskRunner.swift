import Foundation
import MartletCore
import MartletTransport

/// Takes a session's tasks through its pipeline, and tells how they ended.
///
/// It has the session's parts and not the session, so that no task keeps its session alive.
struct TaskRunner: Sendable {
  typealias Completion = @Sendable (SessionTask, (any Sendable)?, MartletError?) -> Void
  /// What becomes of a response.
  typealias Outcome = @Sendable (Response) async -> SerializationOutcome

  /// Where completions run; `nil` is the main queue.
  let completionQueue = Locked<DispatchQueue?>(nil)
  /// What completions are counted in.
  let completionGroup = Locked<DispatchGroup?>(nil)
  /// Progress closures run here, one at a time and in order; completions pass through.
  let queue = DispatchQueue(label: "martlet.session")
  /// The engine that sends the requests, if it is one.
  let engine: HTTPTransport?
  private let pipeline: Pipeline
  /// Whether there are steps or a transport of the application's own.
  private let hasOwnParts: Bool

  init(_ configuration: SessionConfiguration) {
    let transport = configuration.transport ?? HTTPTransport(configuration.engine)
    engine = transport as? HTTPTransport
    pipeline = configuration.makePipeline(over: transport)
    hasOwnParts = !configuration.steps.isEmpty || configuration.transport != nil
  }

  /// Sends a task's request, for whoever waits for the response.
  func perform(_ task: SessionTask) async throws -> Response {
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
    guard hasOwnParts else { return try await pipeline.send(task.request) }
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

  /// Begins with a task, for a completion.
  func begin(
    _ task: SessionTask, outcome: @escaping Outcome, completion: @escaping Completion
  ) {
    let group = completionGroup.current
    group?.enter()
    Task {
      let result = await result(of: task, outcome)
      // Behind the progress closures, so that nobody hears of progress after the end.
      queue.async { [completionQueue] in
        (completionQueue.current ?? .main).async {
          completion(task, result.object, result.error)
          group?.leave()
        }
      }
    }
  }

  /// Sends a task's request.
  ///
  /// Serialization runs here, on no actor, and for several tasks at a time (SES-C12).
  @concurrent
  private func result(of task: SessionTask, _ outcome: Outcome) async -> SerializationOutcome {
    do {
      return await outcome(try await perform(task))
    } catch {
      return SerializationOutcome(error: error as? MartletError ?? .wrapping(error))
    }
  }
}

extension MartletError {
  /// Any error as the one that Martlet throws.
  static func wrapping(_ error: any Error) -> MartletError {
    if error is CancellationError { return .cancelled }
    return MartletError(.connectionLost, "The request failed: \(error).", underlying: error)
  }
}

import EssentialFoundation
import MartletCore
import NIOCore

/// One iteration of a batch: its concurrent workers, and the reader of their outcomes.
///
/// With an engine, the workers run on its threads. The reader is resumed when enough requests have finished, or a
/// millisecond after the first outcome, and takes all outcomes. To resume it for each outcome would cost more than the
/// exchange. Without an engine, the reader is resumed for each outcome.
final class BatchRun: Sendable {
  typealias Outcomes = [ResponseBatch.Outcome]
  private typealias Reader = CheckedContinuation<Outcomes, Never>
  private typealias Worker = CheckedContinuation<Void, Never>

  /// The requests, and how many have been taken.
  ///
  /// Unchecked because the iterator is created for this run only, and is used only under its lock.
  private struct Source: @unchecked Sendable {
    let requests: () -> Request?
    var taken = 0

    mutating func next() -> (Int, Request)? {
      guard let request = requests() else { return nil }
      defer { taken += 1 }
      return (taken, request)
    }
  }

  private struct State {
    var decisions: BatchState<ResponseBatch.Outcome>
    var reader: Reader?
    /// The task of each worker that has begun; `nil` while the task is being created, and if there was no request for it.
    var workers: [Task<Void, Never>?] = []
    var idle: [Worker] = []
    var wakeUps: WakeUp = []
    var isAbandoned = false
  }

  /// The wake-ups of the reader that are scheduled: at the end of a turn of the loop, or after a millisecond.
  private struct WakeUp: OptionSet {
    let rawValue: Int

    static let afterTurn = WakeUp(rawValue: 1)
    static let soon = WakeUp(rawValue: 2)
  }

  private let source: Locked<Source>
  private let state: Locked<State>
  private let executors: [EngineExecutor]
  private let limit: Int

  init(
    _ requests: RequestSource, limit: Int, isInOrder: Bool, executors: [EngineExecutor]
  ) {
    self.executors = executors
    self.limit = limit
    source = Locked(Source(requests: requests.iterate()))
    state = Locked(State(decisions: BatchState(limit: limit, isInOrder: isInOrder)))
  }

  // MARK: The workers' side

  /// Starts the first worker. Each worker starts another one when it has a request to send, until there are `limit`.
  func begin(send: @escaping ResponseBatch.Send) {
    if let first = state.withLock({ newWorker(&$0) }) { startWorker(first, send) }
  }

  /// Makes a place for another worker, and returns its number; `nil` if none is needed.
  private func newWorker(_ state: inout State) -> Int? {
    guard state.workers.count < limit, !state.isAbandoned, !state.decisions.isExhausted else {
      return nil
    }
    state.workers.append(nil)
    return state.workers.count - 1
  }

  /// The executor of a worker, or the one that wakes the reader after an outcome; `nil` without an engine.
  private func executor(_ number: Int) -> EngineExecutor? {
    executors.isEmpty ? nil : executors[number % executors.count]
  }

  private func startWorker(_ number: Int, _ send: @escaping ResponseBatch.Send) {
    let executor = executor(number)
    let worker = Task(executorPreference: executor) { await self.work(send) }
    let isAbandoned = state.withLock { state in
      state.workers[number] = worker
      return state.isAbandoned
    }
    if isAbandoned { worker.cancel() }
  }

  private func work(_ send: @escaping ResponseBatch.Send) async {
    while let (index, request) = await nextRequest(send) {
      let result: Result<Response, MartletError>
      do {
        result = .success(try await send(request))
      } catch {
        result = .failure(error as? MartletError ?? .cancelled)
      }
      finish(ResponseBatch.Outcome(index: index, request: request, result: result))
    }
  }

  /// Returns the next request as soon as one may begin, or `nil` if there are no more. With a request, it starts another worker
  /// if there are too few.
  private func nextRequest(_ send: @escaping ResponseBatch.Send) async -> (Int, Request)? {
    while true {
      switch state.withLock({ permission(&$0) }) {
      case .wait: await waitForRoom()
      case .begin(let newWorker):
        // Outside of the state's lock, because this calls the caller's code.
        if let next = source.withLock({ $0.next() }) {
          if let newWorker { startWorker(newWorker, send) }
          return next
        }
        state.withLock { $0.decisions.exhaust() }
        fallthrough
      case .end:
        wakeReader()
        return nil
      }
    }
  }

  private enum Permission {
    case begin(newWorker: Int?)
    case wait
    case end
  }

  private func permission(_ state: inout State) -> Permission {
    guard !state.isAbandoned, !state.decisions.isExhausted else { return .end }
    guard state.decisions.mayBegin else { return .wait }
    state.decisions.begin()
    return .begin(newWorker: newWorker(&state))
  }

  /// Waits until another request may begin, or the batch ends.
  private func waitForRoom() async {
    await withCheckedContinuation { (worker: Worker) in
      let isRoom = state.withLock { state in
        if state.isAbandoned || state.decisions.mayBegin || state.decisions.isExhausted {
          return true
        }
        state.idle.append(worker)
        return false
      }
      if isRoom { worker.resume() }
    }
  }

  private func finish(_ outcome: ResponseBatch.Outcome) {
    let wakeUp = state.withLock { state -> WakeUp? in
      state.decisions.finish(outcome.index, outcome)
      guard state.reader != nil else { return nil }
      let wakeUp = state.decisions.shouldWakeReader ? WakeUp.afterTurn : .soon
      return state.wakeUps.insert(wakeUp).inserted ? wakeUp : nil
    }
    if let wakeUp { scheduleWakeUp(wakeUp, after: outcome.index) }
  }

  private func scheduleWakeUp(_ wakeUp: WakeUp, after index: Int) {
    guard let executor = executor(index) else { return wakeReader(wakeUp) }
    if wakeUp == .afterTurn {
      executor.afterTurn { self.wakeReader() }
    } else {
      executor.after(.milliseconds(1)) { self.wakeReader(.soon) }
    }
  }

  // MARK: The reader's side

  /// Returns the outcomes since the last call as soon as there are any, or an empty array at the end or after
  /// `abandon()`.
  func next() async -> Outcomes {
    await withCheckedContinuation { (reader: Reader) in
      let (answer, workers) = state.withLock { state -> (Outcomes?, [Worker]) in
        guard !state.isAbandoned else { return ([], []) }
        guard let outcomes = state.decisions.takeAll() else {
          guard !state.decisions.isOver else { return ([], []) }
          state.reader = reader
          return (nil, [])
        }
        defer { state.idle = [] }
        return (outcomes, state.idle)
      }
      workers.forEach { $0.resume() }
      if let answer { reader.resume(returning: answer) }
    }
  }

  /// Resumes a waiting reader if there are outcomes for it, or if the batch is over.
  private func wakeReader(_ wakeUp: WakeUp = .afterTurn) {
    let (reader, outcomes, workers) = state.withLock { state -> (Reader?, Outcomes, [Worker]) in
      state.wakeUps.remove(wakeUp)
      guard let reader = state.reader else { return (nil, [], []) }
      let outcomes = state.isAbandoned ? nil : state.decisions.takeAll()
      guard outcomes != nil || state.isAbandoned || state.decisions.isOver else {
        return (nil, [], [])
      }
      defer { (state.reader, state.idle) = (nil, []) }
      return (reader, outcomes ?? [], state.idle)
    }
    workers.forEach { $0.resume() }
    reader?.resume(returning: outcomes)
  }

  /// Cancels the requests under way, because the iterator was released or its task was cancelled.
  func abandon() {
    let (idle, workers) = state.withLock { state in
      state.isAbandoned = true
      defer { state.idle = [] }
      return (state.idle, state.workers)
    }
    wakeReader()
    idle.forEach { $0.resume() }
    workers.forEach { $0?.cancel() }
  }
}

import MartletCore
import NIOCore

/// One iteration of a batch: as many workers as may run at once, and the reader of their outcomes.
///
/// The workers run on the engine. The reader is woken when enough has finished to be worth it, or a
/// millisecond after the first, and takes it all: waking it for each would cost more than the exchange.
final class BatchRun: Sendable {
  typealias Outcomes = [ResponseBatch.Outcome]
  private typealias Reader = CheckedContinuation<Outcomes, Never>
  private typealias Worker = CheckedContinuation<Void, Never>

  /// Unchecked because an iterator over requests is made for this run alone, and only ever touched under
  /// the run's lock.
  private struct State: @unchecked Sendable {
    var requests: any IteratorProtocol<Request>
    var decisions: BatchState<ResponseBatch.Outcome>
    var reader: Reader?
    var idle: [Worker] = []
    var wakeUps: Set<WakeUp> = []
    var isAbandoned = false
  }

  /// When the reader is woken.
  private enum WakeUp {
    case afterTurn
    case soon
  }

  private let state: Locked<State>
  private let executor: EngineExecutor?

  init(
    _ requests: any IteratorProtocol<Request>, limit: Int, isInOrder: Bool,
    executor: EngineExecutor?
  ) {
    self.executor = executor
    state = Locked(
      State(requests: requests, decisions: BatchState(limit: limit, isInOrder: isInOrder)))
  }

  // MARK: The workers' side

  func begin(_ count: Int, send: @escaping ResponseBatch.Send) -> [Task<Void, Never>] {
    (0..<count).map { _ in
      Task(executorPreference: executor) {
        while let (index, request) = await self.nextRequest() {
          let result: Result<Response, MartletError>
          do {
            result = .success(try await send(request))
          } catch {
            result = .failure(error as? MartletError ?? .cancelled)
          }
          self.finish(ResponseBatch.Outcome(index: index, request: request, result: result))
        }
      }
    }
  }

  /// The next request to send, as soon as one may begin; none when there are no more.
  private func nextRequest() async -> (Int, Request)? {
    while true {
      switch state.withLock({ Self.step(&$0) }) {
      case .begin(let index, let request): return (index, request)
      case .end:
        wakeReader()
        return nil
      case .wait: await room()
      }
    }
  }

  private enum WorkerStep {
    case begin(Int, Request)
    case wait
    case end
  }

  private static func step(_ state: inout State) -> WorkerStep {
    guard !state.isAbandoned, !state.decisions.isExhausted else { return .end }
    guard state.decisions.mayBegin else { return .wait }
    guard let request = state.requests.next() else {
      state.decisions.exhaust()
      return .end
    }
    return .begin(state.decisions.begin(), request)
  }

  /// Returns when it is worth looking again whether a request may begin.
  private func room() async {
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
      let wakeUp = state.decisions.isWorthTelling ? WakeUp.afterTurn : .soon
      return state.wakeUps.insert(wakeUp).inserted ? wakeUp : nil
    }
    if let wakeUp { arrange(wakeUp) }
  }

  private func arrange(_ wakeUp: WakeUp) {
    guard let executor else { return wakeReader() }
    switch wakeUp {
    case .afterTurn: executor.afterTurn { self.wakeReader() }
    case .soon: executor.after(.milliseconds(1)) { self.wakeReader(.soon) }
    }
  }

  // MARK: The reader's side

  /// What has finished since the last time, as soon as there is something; nothing at the end.
  func next() async -> Outcomes {
    await withCheckedContinuation { (reader: Reader) in
      let (answer, workers) = state.withLock { state -> (Outcomes?, [Worker]) in
        guard let outcomes = state.decisions.takeAll() else {
          guard !state.isAbandoned, !state.decisions.isOver else { return ([], []) }
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

  /// Gives a waiting reader what there is for it.
  private func wakeReader(_ wakeUp: WakeUp = .afterTurn) {
    let (reader, outcomes, workers) = state.withLock { state -> (Reader?, Outcomes, [Worker]) in
      state.wakeUps.remove(wakeUp)
      guard let reader = state.reader else { return (nil, [], []) }
      let outcomes = state.decisions.takeAll()
      guard outcomes != nil || state.isAbandoned || state.decisions.isOver else {
        return (nil, [], [])
      }
      defer { (state.reader, state.idle) = (nil, []) }
      return (reader, outcomes ?? [], state.idle)
    }
    workers.forEach { $0.resume() }
    reader?.resume(returning: outcomes)
  }

  /// Nobody reads any more.
  func abandon() {
    let workers = state.withLock { state in
      state.isAbandoned = true
      defer { state.idle = [] }
      return state.idle
    }
    workers.forEach { $0.resume() }
    wakeReader()
  }
}

import MartletCore
import NIOCore

/// One event loop of an engine, and the objects that all pools on it share.
///
/// `@unchecked Sendable` because ticker and results are confined to the event loop, which debug builds assert.
struct EngineLoop: @unchecked Sendable {
  let loop: any EventLoop
  let executor: EngineExecutor
  let ticker: DeadlineTicker
  let results: ResultQueue
  /// Whether the loop is busy. It counts as not busy if that is not measured.
  let usage = LoopUsage()
  /// Whether the loop has a time of its own, as in simulations.
  let hasVirtualTime: Bool

  init(
    _ loop: any EventLoop, isOneOfSeveral: Bool, hasVirtualTime: Bool = false,
    outsideWork: OutsideWork
  ) {
    self.loop = loop
    self.hasVirtualTime = hasVirtualTime
    executor = EngineExecutor(loop: loop, outsideWork: outsideWork)
    ticker = DeadlineTicker(loop: loop, usage: isOneOfSeveral && !hasVirtualTime ? usage : nil)
    results = ResultQueue(loop: loop)
  }
}

/// Resumes all callers of one turn of the event loop together, with their responses or errors.
///
/// Each resumed caller wakes a thread, which soon makes the event loop send the next request. If callers were resumed
/// one by one, the two threads would alternate for every response. Confined to the event loop.
final class ResultQueue {
  private let loop: any EventLoop
  private typealias Answer = (caller: Exchange.Caller, result: Result<Response, MartletError>)

  // The accesses are not checked at run time: only the event loop makes them, and `add` does not change what is delivered.
  @exclusivity(unchecked) private var results: [Answer] = []
  /// The memory for the next results, while those of this turn are delivered.
  @exclusivity(unchecked) private var delivered: [Answer] = []

  init(loop: any EventLoop) {
    self.loop = loop
  }

  func add(_ result: Result<Response, MartletError>, for caller: Exchange.Caller) {
    loop.assertInEventLoop()
    results.append((caller, result))
    if results.count == 1 { loop.assumeIsolated().execute { self.send() } }
  }

  private func send() {
    loop.assertInEventLoop()
    swap(&results, &delivered)
    for (caller, result) in delivered {
      switch result {
      case .success(let response): caller.resume(returning: response)
      case .failure(let error): caller.resume(throwing: error)
      }
    }
    delivered.removeAll(keepingCapacity: true)
  }
}

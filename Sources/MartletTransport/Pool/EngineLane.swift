import MartletCore
import NIOCore

/// One event loop of an engine, and what all pools on it share.
///
/// Unchecked because ticker and answers are confined to the loop beside them, which debug builds assert.
struct EngineLane: @unchecked Sendable {
  let loop: any EventLoop
  let ticker: DeadlineTicker
  let answers: AnswerQueue

  init(_ loop: any EventLoop) {
    self.loop = loop
    ticker = DeadlineTicker(loop: loop)
    answers = AnswerQueue(loop: loop)
  }
}

/// Resumes callers with their responses or errors, all of one turn of the event loop together.
///
/// Each resumed caller wakes a thread, which soon has the loop send the next request. Resuming each at once
/// would have the two threads take turns for every single response. Confined to the event loop.
final class AnswerQueue {
  private let loop: any EventLoop
  private var answers: [(caller: Exchange.Caller, result: Result<Response, MartletError>)] = []

  init(loop: any EventLoop) {
    self.loop = loop
  }

  func add(_ result: Result<Response, MartletError>, for caller: Exchange.Caller) {
    loop.assertInEventLoop()
    answers.append((caller, result))
    if answers.count == 1 { loop.assumeIsolated().execute { self.send() } }
  }

  private func send() {
    let answers = answers
    self.answers.removeAll(keepingCapacity: true)
    for (caller, result) in answers {
      switch result {
      case .success(let response): caller.resume(returning: response)
      case .failure(let error): caller.resume(throwing: error)
      }
    }
  }
}

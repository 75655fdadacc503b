import MartletCore
import NIOCore

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

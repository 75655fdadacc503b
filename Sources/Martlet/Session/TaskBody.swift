import MartletCore
import NIOCore

/// The body of a streamed response, which tells its task how it ended.
final class TaskBody: ResponseBodySource {
  private let body: ResponseBody
  private let task: SessionTask

  init(_ body: ResponseBody, of task: SessionTask) {
    self.body = body
    self.task = task
  }

  func next() async throws -> ByteBuffer? {
    // A transport need not know of calls, so that it goes on after a cancellation.
    if let error = task.error, error.code == .cancelled { throw error }
    if task.call.isCancelled { throw task.fail(with: .cancelled) }
    var chunks = body.makeAsyncIterator()
    do {
      if let chunk = try await chunks.next() {
        task.heard(chunk)
        return chunk
      }
    } catch {
      throw task.fail(with: .wrapping(error))
    }
    task.finishReading(body.completion)
    return nil
  }

  func abandon() {
    let isCancelled = Task.isCancelled || task.call.isCancelled
    if let completion = body.completion, !isCancelled {
      task.finishReading(completion)
    } else {
      _ = task.fail(with: .cancelled)
    }
    body.abandon()
  }

  var completion: ResponseBody.Completion? { body.completion }
}

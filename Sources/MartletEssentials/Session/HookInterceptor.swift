import EssentialFoundation
import MartletCore
import NIOCore

/// Calls the session's hooks `onResponse` and `onData` for each response that a caller will receive.
struct HookInterceptor: Interceptor {
  func prepare(_ request: inout Request, context: CallContext) -> RequestPreparation {
    guard let hooks = context.hooks else { return .passThrough }
    return hooks.onResponse == nil && hooks.onData == nil ? .passThrough : .callSend
  }

  func send(_ request: Request, next: Next) async throws -> Response {
    guard let task = next.context.task, let hooks = next.context.hooks else {
      return try await next.send(request)
    }
    var request = request
    request.delivery.requiresHead = true
    let response = try await next.send(request)
    // The task became a download in an earlier attempt, and an interceptor above has sent the request again.
    if task.kind == .download, task.download == nil { return try await saved(response, request) }
    switch hooks.onResponse?(task, response.head) ?? .allow {
    case .cancel:
      task.cancel()
      throw MartletError.cancelled
    case .becomeDownload where task.download == nil:
      task.becomeDownload()
      return try await saved(response, request)
    case .allow, .becomeDownload:
      guard hooks.onData != nil else { return response }
      var observed = response
      observed.body = ResponseBody(
        stream: DataHookBody(response.body.streamed(of: request.call), of: task),
        of: request.call)
      return observed
    }
  }

  private func saved(_ response: Response, _ request: Request) async throws -> Response {
    var request = request
    request.delivery = .file(at: .temporaryDownload)
    return try await response.delivered(for: request)
  }
}

/// A body that reports its chunks to the session's data hook, if it is collected in memory.
///
/// `TaskTrackingBody` does so for a stream.
final class DataHookBody: DeliveringBodySource {
  private let body: ResponseBody
  private let task: SessionTask
  private let isCollected = Locked(false)

  init(_ body: ResponseBody, of task: SessionTask) {
    self.body = body
    self.task = task
  }

  func next() async throws -> ByteBuffer? {
    var chunks = body.makeAsyncIterator()
    guard let chunk = try await chunks.next() else { return nil }
    if isCollected.current { task.reportData(chunk) }
    return chunk
  }

  func deliver(_ handling: Delivery.BodyHandling) async throws -> ResponseBody? {
    switch handling {
    case .buffer(let limit):
      body.expectBuffer(limit)
      isCollected.withLock { $0 = true }
      return nil
    case .stream:
      return try await body.delivered(.stream, of: nil)
    case .discard, .file, .writer: return try await body.delivered(handling, of: nil)
    }
  }

  // The body is released with this object, and thereby abandoned.
  func abandon() {}

  var completion: ResponseBody.Completion? { body.completion }
}

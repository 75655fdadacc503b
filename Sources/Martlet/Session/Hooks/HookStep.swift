import MartletCore
import NIOCore

/// Asks the session's hook about each response that a caller will get, and tells its hook for data of the body.
struct HookStep: Step {
  func prepare(_ request: inout Request, _ context: CallContext) -> Preparation {
    guard let hooks = context.hooks else { return .done }
    return hooks.onResponse == nil && hooks.onData == nil ? .done : .waiting
  }

  func send(_ request: Request, next: Next) async throws -> Response {
    guard let task = next.context.task, let hooks = next.context.hooks else {
      return try await next.send(request)
    }
    var request = request
    request.delivery.waitsForHead = true
    let response = try await next.send(request)
    switch hooks.onResponse?(task, response.head) ?? .allow {
    case .cancel:
      task.cancel()
      throw MartletError.cancelled
    case .becomeDownload where task.download == nil:
      task.becomeDownload()
      request.delivery = .file(at: .temporaryDownload)
      return try await response.delivered(to: request)
    case .allow, .becomeDownload:
      guard hooks.onData != nil else { return response }
      return try await heard(response, to: request, task)
    }
  }

  /// A body that is collected is handed out in pieces when somebody wants to hear of each.
  private func heard(
    _ response: Response, to request: Request, _ task: SessionTask
  ) async throws -> Response {
    guard !request.delivery.isUndecided else { return response }
    let choice = request.delivery.choice(for: response.head)
    var (request, response) = (request, response)
    request.delivery = Delivery(choice)
    if case .buffer = choice {
      let body = response.body.streamed(of: request.exchange)
      response.body = ResponseBody(stream: HeardBody(body, of: task))
    }
    return try await response.delivered(to: request)
  }
}

/// A body whose pieces the session's data hook is told of.
struct HeardBody: ResponseBodySource {
  private let body: ResponseBody
  private let task: SessionTask

  init(_ body: ResponseBody, of task: SessionTask) {
    self.body = body
    self.task = task
  }

  func next() async throws -> ByteBuffer? {
    var chunks = body.makeAsyncIterator()
    guard let chunk = try await chunks.next() else { return nil }
    task.heard(chunk)
    return chunk
  }

  // The body is dropped with this one, and thereby abandoned.
  func abandon() {}

  var completion: ResponseBody.Completion? { body.completion }
}

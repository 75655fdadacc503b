import MartletCore
import NIOCore

/// Asks the session's hook about each response that a caller will get, and tells its hook for data of the body.
struct HookStep: Step {
  func prepare(_ request: inout Request, _ context: CallContext) -> Preparation {
    guard let hooks = context.hooks else { return .done }
    return hooks.onResponse == nil && hooks.onData == nil ? .done : .waiting
  }

  func send(_ request: Request, next: Next) async throws -> Response {
    guard let task = next.context.task, let delivery = HookedDelivery(task) else {
      return try await next.send(request)
    }
    var request = request
    request.delivery = delivery.delivery(request.delivery)
    return try await delivery.finish(try await next.send(request))
  }
}

/// The delivery of a task whose session has hooks for responses or data: they are asked, and told, on the
/// way.
final class HookedDelivery: Sendable {
  private let task: SessionTask
  private let hooks: SessionHooks
  /// How much the caller wants in memory, where the body is collected here.
  private let bufferLimit = Locked<Int?>(nil)

  /// - Returns: `nil` when no hook needs it.
  init?(_ task: SessionTask) {
    guard let hooks = task.hooks?.asked, hooks.onResponse != nil || hooks.onData != nil else {
      return nil
    }
    self.task = task
    self.hooks = hooks
  }

  /// What the caller wants, after the hooks have had their say.
  func delivery(_ wanted: Delivery) -> Delivery {
    Delivery { [self] head in
      // What a cache had goes into no file, so that the response is loaded anew: once is enough to ask.
      guard !hasBecomeDownload else { return .file(FileDelivery(url: .temporaryDownload)) }
      switch hooks.onResponse?(task, head) ?? .allow {
      case .becomeDownload where task.download == nil:
        task.becomeDownload()
        return .file(FileDelivery(url: .temporaryDownload))
      case .allow, .becomeDownload: return pieces(of: wanted.choice(for: head))
      case .cancel:
        task.cancel()
        return .discard
      }
    }
  }

  private var hasBecomeDownload: Bool { task.kind == .download && task.download == nil }

  /// A body to collect is handed out in pieces when somebody wants to hear of each.
  private func pieces(of choice: Delivery.Choice) -> Delivery.Choice {
    guard hooks.onData != nil, case .buffer(let limit) = choice else { return choice }
    bufferLimit.withLock { $0 = limit }
    return .stream
  }

  /// The response as the caller wants it.
  func finish(_ response: Response) async throws -> Response {
    guard let limit = bufferLimit.current else { return response }
    guard response.body.isStream else {
      // It was there already, in a cache.
      if let bytes = response.body.bytes, bytes.readableBytes > 0 { task.heard(bytes) }
      return response
    }
    var response = response
    let heard = ResponseBody(stream: HeardBody(response.body, of: task))
    let bytes = try await heard.collect(upTo: limit)
    response.body = ResponseBody(bytes: bytes, completion: heard.completion)
    return response
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

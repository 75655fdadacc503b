public import MartletCore
import NIOCore

/// Limits the requests to one server that are under way at the same time.
///
/// A session with a ``/MartletCore/ConcurrencyLimit`` has one below its cache. A request is under way until its body has
/// arrived, or has been released.
public struct ConcurrencyInterceptor: Interceptor {
  private let queues: OriginStates<PermitQueue>
  private let timeouts: Timeouts
  private let clock: ResilienceClock

  /// An interceptor that limits the requests under way.
  ///
  /// - Parameters:
  ///   - limit: The limit for each server.
  ///   - timeouts: The time-outs of requests that have none of their own. `total` limits the wait.
  ///   - clock: The time, which a test can replace. The default is that of the system.
  public init(
    _ limit: ConcurrencyLimit, timeouts: Timeouts = Timeouts(),
    clock: ResilienceClock = ResilienceClock()
  ) {
    queues = OriginStates { PermitQueue(limit) }
    self.timeouts = timeouts
    self.clock = clock
  }

  /// Sends the request when it is its turn.
  ///
  /// - Throws: What `next` throws; `MartletError` with code `.limitReached` if too many requests wait, `.timedOut` after
  ///   the total time-out, and `.cancelled`.
  public func send(_ request: Request, next: Next) async throws -> Response {
    let origin = try request.origin
    let queue = queues.update(origin) { $0 }
    let permit =
      if let permit = queue.permit(clock) { permit } else {
        try await wait(for: queue, origin, request)
      }
    // The exchange may end while a reader that pauses still has its body.
    if let call = request.call { permit.endWithAttempt(of: call) }
    do {
      var response = try await next.send(request)
      permit.recordHead(response.status)
      guard response.body.kind == .streamed else {
        permit.release()
        return response
      }
      response.body = ResponseBody(stream: PermitBody(response.body, permit), of: request.call)
      return response
    } catch {
      permit.recordError(error)
      throw error
    }
  }

  private func wait(for queue: PermitQueue, _ origin: Origin, _ request: Request) async throws
    -> Permit
  {
    let call = request.call ?? Call()
    call.report(.concurrencyLimited(origin))
    // A permit that nothing takes any more releases itself.
    let nextPermit: @Sendable () async throws -> Permit = { [clock] in
      do {
        return try await queue.nextPermit(origin, clock)
      } catch let error as MartletError {
        call.report(.refused(error))
        throw error
      }
    }
    let timeouts = request.timeouts(default: timeouts)
    guard let total = timeouts.total, let left = call.remainingTime(timeouts) else {
      return try await call.wait(for: nextPermit)
    }
    return try await call.wait {
      try await withThrowingTaskGroup(of: Permit?.self) { group in
        group.addTask { try await nextPermit() }
        group.addTask {
          try await Task.sleep(for: max(left, .zero))
          return nil
        }
        defer { group.cancelAll() }
        guard let permit = try await group.next() ?? nil else {
          throw MartletError.totalTimeOut(.connect, after: total, origin: origin)
        }
        return permit
      }
    }
  }
}

/// A body whose request is under way until it has been read.
private final class PermitBody: DeliveringBodySource {
  private let body: ResponseBody
  private let permit: Permit

  init(_ body: ResponseBody, _ permit: Permit) {
    self.body = body
    self.permit = permit
  }

  func next() async throws -> ByteBuffer? {
    var chunks = body.makeAsyncIterator()
    do {
      if let chunk = try await chunks.next() { return chunk }
    } catch {
      permit.recordError(error)
      throw error
    }
    permit.release()
    return nil
  }

  func deliver(_ handling: Delivery.BodyHandling) async throws -> ResponseBody? {
    if handling.isStream { return nil }
    defer { permit.release() }
    return try await body.delivered(handling, of: nil)
  }

  func expectBuffer(_ limit: Int) { body.expectBuffer(limit) }

  func abandon() {
    permit.release()
    body.cancel()
  }

  var completion: ResponseBody.Completion? { body.completion }
}

public import MartletCore

/// Limits the rate of requests to one server, and waits as long as the server requires.
///
/// A session with a ``/MartletCore/RateLimit`` has one below its cache.
public struct RateInterceptor: Interceptor {
  private let limit: RateLimit
  private let timeouts: Timeouts
  private let balances = OriginStates { RateBalance() }
  private let clock: ResilienceClock
  private let now: @Sendable () -> Duration

  /// An interceptor that limits the rate of requests.
  ///
  /// - Parameters:
  ///   - limit: The limit for each server.
  ///   - timeouts: The time-outs of requests that have none of their own. `total` limits the wait.
  ///   - clock: The time, which a test can replace. The default is that of the system.
  public init(
    _ limit: RateLimit, timeouts: Timeouts = Timeouts(), clock: ResilienceClock = ResilienceClock()
  ) {
    self.limit = limit
    self.timeouts = timeouts
    self.clock = clock
    now = clock.stopwatch()
  }

  /// Sends the request when it is its turn.
  ///
  /// - Throws: What `next` throws; `MartletError` with code `.limitReached` if the wait would be too long, and with code
  ///   `.cancelled` during the wait.
  public func send(_ request: Request, next: Next) async throws -> Response {
    let origin = try request.origin
    try await waitForTurn(request, origin)
    let response = try await next.send(request)
    let (announcement, time) = (RateAnnouncement(response.head, at: clock.date()), now())
    balances.update(origin) { $0.record(announcement, at: time) }
    return response
  }

  private func waitForTurn(_ request: Request, _ origin: Origin) async throws {
    let call = request.call ?? Call()
    let remaining = call.remainingTime(request.timeouts(default: timeouts))
    let longest = min(limit.maximumWait.boundedDelay, remaining ?? limit.maximumWait.boundedDelay)
    let start = now()
    guard var wait = balances.update(origin, { $0.reserve(at: start, limit, longest: longest) })
    else { throw refusal(of: call, origin, longest) }
    do {
      repeat {
        guard now() + wait <= start + longest else {
          throw refusal(of: call, origin, longest)
        }
        if wait > .zero {
          call.report(.rateLimited(origin, for: wait))
          try await call.wait { [clock, wait] in try await clock.sleep(wait) }
        }
        // The server may have announced something meanwhile.
        let time = now()
        wait = balances.update(origin) { $0.admit(at: time) }
      } while wait > .zero
    } catch {
      balances.update(origin) { $0.cancelReservation(limit) }
      throw error
    }
  }

  private func refusal(of call: Call, _ origin: Origin, _ longest: Duration) -> MartletError {
    let error = MartletError.rateExceeded(origin, longest)
    call.report(.refused(error))
    return error
  }
}

extension MartletError {
  fileprivate static func rateExceeded(_ origin: Origin, _ longest: Duration) -> MartletError {
    var error = MartletError(
      .limitReached,
      "The rate limit of \(origin) allows no request within \(longest.text): send fewer requests, or raise `maximumWait`.",
      phase: .connect)
    error.isSafeToRetry = true
    return error
  }
}

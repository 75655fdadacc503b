public import MartletCore

/// Follows redirects the way browsers do.
///
/// The default follows up to 20 and drops credentials when the origin changes. The body of a redirect
/// is discarded whatever the caller wants done with the last response's.
public struct RedirectStep: Step {
  /// Which redirects are followed.
  public var policy: RedirectPolicy

  /// A step that follows what `policy` says.
  public init(_ policy: RedirectPolicy = RedirectPolicy()) {
    self.policy = policy
  }

  /// Sends the request, and the ones that follow it.
  ///
  /// - Throws: What `next` and the policy throw.
  public func send(_ request: Request, next: any Transport) async throws -> Response {
    guard policy.isEnabled else { return try await next.send(request) }
    var request = request
    request.delivery = discardingRedirects(request.delivery)
    // What tells the engine that all these requests are one exchange.
    request.exchange = request.exchange ?? Exchange()
    var count = 0
    while true {
      let response = try await next.send(request)
      guard let following = try self.request(after: response, to: request, count: count) else {
        return response
      }
      request.exchange?.report(.redirecting(to: following.url))
      request = following
      count += 1
    }
  }

  private func discardingRedirects(_ delivery: Delivery) -> Delivery {
    Delivery { [policy] head in
      policy.follows(head) ? .discard : delivery.choice(for: head)
    }
  }

  private func request(after response: Response, to request: Request, count: Int)
    throws(MartletError) -> Request?
  {
    do {
      return try policy.request(after: response.head, to: request, count: count)
    } catch {
      var error = error
      error.request = request
      error.response = response.head
      throw error
    }
  }
}

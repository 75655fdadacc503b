public import MartletCore

/// Follows redirects the way browsers do.
///
/// The default follows up to 20 and drops credentials when the origin changes. The body of a redirect
/// is discarded whatever the caller wants done with the last response's. Those that were followed are in the
/// `redirects` of the last response.
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
    // What tells the engine that all these requests are one exchange.
    let exchange = request.exchange ?? Exchange()
    let delivery = request.delivery
    let hooks = request.sessionTask.flatMap { RedirectHooks($0) }
    var request = request
    request.exchange = exchange
    var redirects: [Redirect] = []
    while true {
      let question = RedirectQuestion(policy, request, count: redirects.count, hooks)
      request.delivery = discardingRedirects(delivery, question)
      var response = try await next.send(request)
      guard let following = try question.answer(for: response.head) else {
        if !redirects.isEmpty { response.redirects = redirects }
        return response
      }
      redirects.append(Redirect(method: request.method, url: request.url, head: response.head))
      exchange.follow(following)
      request = following
      // A hook may have made a request of its own.
      request.exchange = exchange
    }
  }

  private func discardingRedirects(_ delivery: Delivery, _ question: RedirectQuestion) -> Delivery {
    Delivery { head in
      question.isFollowed(head) ? .discard : delivery.choice(for: head)
    }
  }
}

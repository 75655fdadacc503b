public import MartletCore

/// Follows redirects the way browsers do.
///
/// The default follows up to 20 and drops credentials when the origin changes. The body of a redirect
/// is discarded whatever the caller wants done with the last response's, and how it ends does not matter.
/// Those that were followed are in the `redirects` of the last response.
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
  public func send(_ request: Request, next: Next) async throws -> Response {
    try await follow(request, answeredBy: nil, next)
  }

  /// Sends the request, unless `first` is the response to it already, and the ones that follow it.
  private func follow(
    _ request: Request, answeredBy first: consuming Response?, _ next: Next
  ) async throws -> Response {
    let delivery = request.delivery
    let hooks = RedirectHooks(next.context)
    // What tells the engine that all these requests are one exchange.
    let exchange = request.exchange ?? Exchange()
    var request = request
    var answer = consume first
    var redirects: [Redirect] = []
    while true {
      // A hook may have made a request of its own.
      request.exchange = exchange
      let question = RedirectQuestion(policy, count: redirects.count, hooks)
      let response: Response
      if let first = answer.take() {
        response = first
      } else {
        var sent = request
        sent.delivery = delivery.passingOver(question.isFollowed(after: request))
        response = try await next.send(sent)
      }
      guard let following = try question.answer(for: response.head, to: request) else {
        return response.noting(redirects)
      }
      redirects.append(Redirect(method: request.method, url: request.url, head: response.head))
      exchange.follow(following)
      request = following
    }
  }

  /// Hooks are asked about each redirect, and a request without a handle needs one for all of them.
  public func prepare(_ request: inout Request, _ context: CallContext) -> Preparation {
    guard policy.isEnabled else { return .done }
    guard request.exchange != nil, context.hooks == nil else { return .waiting }
    request.delivery = request.delivery.passingOver(
      RedirectQuestion(policy, count: 0, nil).isFollowed(after: request))
    return .watching
  }

  /// Lets all but redirects pass.
  public func passes(_ response: Response, to request: Request, _ context: CallContext) -> Bool {
    !policy.follows(response.head)
  }

  /// The response to the request that follows.
  ///
  /// - Throws: What `next` and the policy throw.
  public func response(
    after response: consuming Response, to request: Request, next: Next
  ) async throws -> Response {
    try await follow(request, answeredBy: consume response, next)
  }
}

extension Response {
  fileprivate func noting(_ redirects: [Redirect]) -> Response {
    guard !redirects.isEmpty else { return self }
    var response = self
    response.redirects = redirects
    return response
  }
}

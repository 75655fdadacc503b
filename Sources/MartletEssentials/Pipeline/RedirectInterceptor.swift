public import MartletCore

/// Follows redirects the way browsers do.
///
/// The default follows up to 20 and drops credentials when the origin changes. The body of a redirect
/// is discarded whatever the caller wants done with the last response's, and how it ends does not matter.
/// Those that were followed are in the `redirects` of the last response.
public struct RedirectInterceptor: Interceptor {
  /// Which redirects are followed.
  public var policy: RedirectPolicy

  /// An interceptor that follows what `policy` says.
  public init(_ policy: RedirectPolicy = RedirectPolicy()) {
    self.policy = policy
  }

  /// Sends the request, and the ones that follow it.
  ///
  /// - Throws: What `next` and the policy throw.
  public func send(_ request: Request, next: Next) async throws -> Response {
    var request = request
    // What tells the engine that all these requests are one call.
    request.call = request.call ?? Call()
    return try await follow(try await next.send(request), to: request, next)
  }

  /// The last response of those that follow one.
  private func follow(
    _ first: consuming Response, to request: Request, _ next: Next
  ) async throws -> Response {
    var (request, response) = (request, consume first)
    let (call, delivery) = (request.call, request.delivery)
    var redirects: [Redirect] = []
    while let following = try following(response.head, request, redirects.count, next.context) {
      await response.body.discard()
      redirects.append(Redirect(method: request.method, url: request.url, head: response.head))
      request = following
      // A hook may have made a request of its own.
      request.call = call
      request.delivery = delivery
      call?.recordRedirect(to: request)
      response = try await next.send(request)
    }
    if !redirects.isEmpty { response.redirects = redirects }
    return response
  }

  /// The request that follows, or `nil` when the response is the caller's.
  ///
  /// - Throws: What the policy throws, with the request and the response that it is about.
  private func following(
    _ head: ResponseHead, _ request: Request, _ count: Int, _ context: CallContext
  ) throws(MartletError) -> Request? {
    do {
      let proposed = try policy.request(
        after: head, to: request, count: count, newBody: context.newBody)
      guard let proposed, let task = context.task, let ask = context.hooks?.onRedirect else {
        return proposed
      }
      return ask(task, head, proposed)
    } catch {
      var error = error
      error.request = request
      error.response = head
      throw error
    }
  }

  /// A request without a handle needs one for all that follow.
  public func prepare(_ request: inout Request, context: CallContext) -> RequestPreparation {
    guard policy.isEnabled else { return .passThrough }
    return request.call == nil ? .callSend : .inspectResponse
  }

  /// Follows redirects, which takes waiting.
  public func inspect(_ response: Response, to request: Request, context: CallContext)
    -> ResponseInspection
  {
    policy.follows(response.head) ? .replaceResponse : .passThrough
  }

  /// The response to the request that follows.
  ///
  /// - Throws: What `next` and the policy throw.
  public func response(
    replacing response: consuming Response, to request: Request, next: Next
  ) async throws -> Response {
    try await follow(consume response, to: request, next)
  }
}

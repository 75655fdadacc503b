public import MartletCore

/// Follows redirects the way browsers do.
///
/// The default follows up to 20 and drops credentials when the origin changes. The body of a redirect that is followed
/// is discarded, whatever the request's `delivery`, and an error in that body is ignored. The redirects that were
/// followed are in the `redirects` of the last response.
public struct RedirectInterceptor: Interceptor {
  /// Which redirects are followed, unless a request has a policy of its own.
  public var policy: RedirectPolicy

  /// An interceptor that follows the redirects that `policy` allows.
  public init(_ policy: RedirectPolicy = RedirectPolicy()) {
    self.policy = policy
  }

  /// Sends the request, and those to which it is redirected.
  ///
  /// - Throws: What `next` and the policy throw.
  public func send(_ request: Request, next: Next) async throws -> Response {
    var request = request
    // With the same `Call`, the engine treats all these requests as one call.
    request.call = request.call ?? Call()
    return try await follow(try await next.send(request), to: request, next)
  }

  /// Follows the redirects after a response, and returns the last response.
  private func follow(
    _ first: consuming Response, to request: Request, _ next: Next
  ) async throws -> Response {
    var (request, response) = (request, consume first)
    let (call, delivery) = (request.call, request.delivery)
    var redirects: [Redirect] = []
    while let redirected = try nextRequest(
      after: response.head, request, redirects.count, next.context)
    {
      await response.body.discard()
      redirects.append(Redirect(method: request.method, url: request.url, head: response.head))
      request = redirected
      // A hook may have returned a request of its own.
      request.call = call
      request.delivery = delivery
      call?.recordRedirect(to: request)
      response = try await afterRedirect { try await next.send(request) }
    }
    if !redirects.isEmpty { response.redirects = redirects }
    return response
  }

  /// Sends a request that follows a redirect. Even if it has not been processed, the first request has.
  private func afterRedirect(_ send: () async throws -> Response) async throws -> Response {
    do {
      return try await send()
    } catch var error as MartletError {
      error.isSafeToRetry = false
      throw error
    }
  }

  private func policy(for request: Request) -> RedirectPolicy {
    request.options.redirectPolicy ?? policy
  }

  /// Returns the request after a redirect, or `nil` when the response is for the caller.
  ///
  /// - Throws: What the policy throws, with the request and the response of the redirect.
  private func nextRequest(
    after head: ResponseHead, _ request: Request, _ count: Int, _ context: CallContext
  ) throws(MartletError) -> Request? {
    do {
      let proposed = try policy(for: request).request(
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

  /// Returns `.callSend` for a request without a call, because all requests that follow need the same call.
  public func prepare(_ request: inout Request, context: CallContext) -> RequestPreparation {
    guard policy.isEnabled || request.options.redirectPolicy != nil else { return .passThrough }
    return request.call == nil ? .callSend : .inspectResponse
  }

  /// Returns `.replaceResponse` for a redirect that the policy follows.
  public func inspect(_ response: Response, to request: Request, context: CallContext)
    -> ResponseInspection
  {
    guard response.status.kind == .redirection else { return .passThrough }
    return policy(for: request).follows(response.head) ? .replaceResponse : .passThrough
  }

  /// Follows a redirect, and returns the last response.
  ///
  /// - Throws: What `next` and the policy throw.
  public func response(
    replacing response: consuming Response, to request: Request, next: Next
  ) async throws -> Response {
    try await follow(consume response, to: request, next)
  }
}

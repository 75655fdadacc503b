public import MartletCore
import NIOCore

/// Has the body come where the caller wants it, once it is known which response is the caller's.
///
/// Interceptors below have looked at the head then, and discarded what was on the way: redirects that were followed,
/// challenges that were answered. A pipeline that has no such interceptor has one at its top.
public struct DeliveryInterceptor: Interceptor {
  /// An interceptor that carries out the `delivery` of each request.
  public init() {}

  /// Tells the transport to wait with what the interceptors may do without.
  public func prepare(_ request: inout Request, context: CallContext) -> RequestPreparation {
    // A pipeline above may do this.
    guard !request.delivery.isDeferredToInterceptor else { return .passThrough }
    request.delivery.isDeferredToInterceptor = true
    return .inspectResponse
  }

  /// Counts a body that may not have been the caller's, and waits for one that is not where the caller wants it.
  public func inspect(_ response: Response, to request: Request, context: CallContext)
    -> ResponseInspection
  {
    if response.unreportedBytes > 0 { request.call?.count(received: response.unreportedBytes) }
    return isInPlace(response, for: request) ? .passThrough : .replaceResponse
  }

  private func isInPlace(_ response: Response, for request: Request) -> Bool {
    switch (response.body.kind, request.delivery.fixedHandling) {
    case (.file, _), (.discarded, _): true
    case (.buffered, .buffer(let limit)): response.body.bytes?.readableBytes ?? 0 <= limit
    case (.streamed, .stream): response.status.kind == .successful
    default: false
    }
  }

  /// The response, its body where the caller wants it.
  ///
  /// - Throws: `MartletError` when the body does not come, or cannot go there.
  public func response(
    replacing response: consuming Response, to request: Request, next: Next
  ) async throws -> Response {
    do {
      return try await response.delivered(for: request)
    } catch {
      throw mapError(error, after: request, context: next.context)
    }
  }

  /// The error, with a request that can be sent again: it says what its caller wants, and not what the interceptors
  /// did.
  public func mapError(_ error: any Error, after request: Request, context: CallContext)
    -> any Error
  {
    guard var error = error as? MartletError, error.request != nil else { return error }
    error.request?.delivery = request.withoutInterceptorState.delivery
    return error
  }
}

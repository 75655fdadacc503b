public import MartletCore
import NIOCore

/// Delivers the body as the caller wants it, once it is known which response the caller receives.
///
/// By then, the interceptors below have inspected the heads, and have discarded the bodies of redirects that were
/// followed and of challenges that were answered. A pipeline that is made without this interceptor adds one at its top.
public struct DeliveryInterceptor: Interceptor {
  /// An interceptor that carries out the `delivery` of each request.
  public init() {}

  /// Makes the transport wait with a body that the interceptors may discard.
  public func prepare(_ request: inout Request, context: CallContext) -> RequestPreparation {
    // A pipeline above may already do this.
    guard !request.delivery.isDeferredToInterceptor else { return .passThrough }
    request.delivery.isDeferredToInterceptor = true
    return .inspectResponse
  }

  /// Counts the bytes that are not reported yet. Returns `.replaceResponse` for a body that is not yet delivered as the
  /// caller wants it.
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

  /// Returns the response, with its body delivered as the caller wants it.
  ///
  /// - Throws: `MartletError` when the body cannot be received or delivered.
  public func response(
    replacing response: consuming Response, to request: Request, next: Next
  ) async throws -> Response {
    do {
      return try await response.delivered(for: request)
    } catch {
      throw mapError(error, after: request, context: next.context)
    }
  }

  /// Returns the error, with a request that can be sent again: its `delivery` is the caller's, without the changes of
  /// the interceptors.
  public func mapError(_ error: any Error, after request: Request, context: CallContext)
    -> any Error
  {
    guard var error = error as? MartletError, error.request != nil else { return error }
    error.request?.delivery = request.withoutInterceptorState.delivery
    return error
  }
}

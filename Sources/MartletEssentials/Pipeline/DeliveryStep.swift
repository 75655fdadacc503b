public import MartletCore
import NIOCore

/// Has the body come where the caller wants it, once it is known which response is the caller's.
///
/// Steps below have looked at the head then, and discarded what was on the way: redirects that were followed, challenges
/// that were answered. A pipeline that has no such step has one at its top.
public struct DeliveryStep: Step {
  /// A step that carries out the `delivery` of each request.
  public init() {}

  /// Tells the transport to wait with what the steps may do without.
  public func prepare(_ request: inout Request, _ context: CallContext) -> Preparation {
    // A pipeline above may do this.
    guard !request.delivery.isLeftToStep else { return .done }
    request.delivery.isLeftToStep = true
    return .watching
  }

  /// Counts a body that may not have been the caller's, and waits for one that is not where the caller wants it.
  public func inspect(_ response: Response, to request: Request, _ context: CallContext)
    -> Inspection
  {
    if response.untoldBytes > 0 { request.call?.count(received: response.untoldBytes) }
    return isInPlace(response, for: request) ? .done : .waiting
  }

  private func isInPlace(_ response: Response, for request: Request) -> Bool {
    switch (response.body.form, request.delivery.fixedChoice) {
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
    after response: consuming Response, to request: Request, next: Next
  ) async throws -> Response {
    do {
      return try await response.delivered(to: request)
    } catch {
      throw failed(error, after: request, next.context)
    }
  }

  /// The error, with a request that can be sent again: it says what its caller wants, and not what the steps did.
  public func failed(_ error: any Error, after request: Request, _ context: CallContext)
    -> any Error
  {
    guard var error = error as? MartletError, error.request != nil else { return error }
    error.request?.delivery = request.asAsked.delivery
    return error
  }
}

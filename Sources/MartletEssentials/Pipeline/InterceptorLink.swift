import MartletCore

/// An interceptor in a list, with those below it.
///
/// Calling an interceptor whose type is not known copies it. Each link is therefore a `TypedLink`, which knows the type, so that
/// references are not counted for the calls of `prepare` and `inspect`.
///
/// Unchecked because a class with a subclass cannot be checked. Both have only constants that are `Sendable`.
class InterceptorLink: @unchecked Sendable {
  final let interceptor: any Interceptor
  final let below: InterceptorLink?

  fileprivate init(_ interceptor: any Interceptor, above below: InterceptorLink?) {
    self.interceptor = interceptor
    self.below = below
  }

  /// Returns the first of `interceptors`, with those below it.
  static func list(of interceptors: [any Interceptor]) -> InterceptorLink? {
    interceptors.reversed().reduce(nil) { below, interceptor in link(interceptor, above: below) }
  }

  private static func link(
    _ interceptor: some Interceptor, above below: InterceptorLink?
  ) -> InterceptorLink {
    TypedLink(interceptor, above: below)
  }

  /// Lets this interceptor prepare the request.
  func prepare(_ request: inout Request, _ context: CallContext) -> RequestPreparation {
    interceptor.prepare(&request, context: context)
  }

  /// Lets this interceptor inspect the response.
  func inspect(
    _ response: Response, to request: Request, context: CallContext
  ) -> ResponseInspection {
    interceptor.inspect(response, to: request, context: context)
  }

  /// Lets this interceptor and those below it prepare the request, one after the other.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - inspectors: Receives the interceptors that inspect the response.
  ///   - context: The context of the call.
  /// - Returns: The first interceptor that has to wait, if any.
  final func prepareAll(
    _ request: inout Request, _ inspectors: inout Inspectors, _ context: CallContext
  ) -> InterceptorLink? {
    switch prepare(&request, context) {
    case .passThrough: break
    case .inspectResponse:
      inspectors.add(self, request)
    case .callSend:
      // The interceptor may read the fields often.
      request.mergeCompressionField()
      return self
    }
    return below?.prepareAll(&request, &inspectors, context)
  }
}

/// A link that knows the type of its interceptor.
private final class TypedLink<Own: Interceptor>: InterceptorLink, @unchecked Sendable {
  private let own: Own

  init(_ own: Own, above below: InterceptorLink?) {
    self.own = own
    super.init(own, above: below)
  }

  override func prepare(_ request: inout Request, _ context: CallContext) -> RequestPreparation {
    own.prepare(&request, context: context)
  }

  override func inspect(
    _ response: Response, to request: Request, context: CallContext
  ) -> ResponseInspection {
    own.inspect(response, to: request, context: context)
  }
}

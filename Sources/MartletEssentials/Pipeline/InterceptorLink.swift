import MartletCore

/// An interceptor in a list, with those below it.
///
/// Calling an interceptor whose type is not known copies it. The closures of a link know the type, so that references are not counted
/// for the calls of `prepare` and `inspect`.
final class InterceptorLink: Sendable {
  let interceptor: any Interceptor
  let below: InterceptorLink?
  private let prepare: @Sendable (inout Request, CallContext) -> RequestPreparation
  private let inspect: @Sendable (Response, Request, CallContext) -> ResponseInspection

  private init(_ interceptor: some Interceptor, above below: InterceptorLink?) {
    self.interceptor = interceptor
    self.below = below
    prepare = { request, context in interceptor.prepare(&request, context: context) }
    inspect = { response, request, context in
      interceptor.inspect(response, to: request, context: context)
    }
  }

  /// Returns the first of `interceptors`, with those below it.
  static func list(of interceptors: [any Interceptor]) -> InterceptorLink? {
    interceptors.reversed().reduce(nil) { below, interceptor in
      InterceptorLink(interceptor, above: below)
    }
  }

  /// Lets this interceptor inspect the response.
  func inspect(
    _ response: Response, to request: Request, context: CallContext
  ) -> ResponseInspection {
    inspect(response, request, context)
  }

  /// Lets this interceptor and those below it prepare the request, one after the other.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - inspectors: Receives the interceptors that inspect the response.
  ///   - context: The context of the call.
  /// - Returns: The first interceptor that has to wait, if any.
  func prepareAll(
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

import MartletCore

/// An interceptor in a list, with those below it.
///
/// Calling an interceptor whose type is not known copies it. Each link knows the type, so that references are not counted for the
/// calls of `prepare` and `inspect`.
protocol InterceptorLink: AnyObject, Sendable {
  var interceptor: any Interceptor { get }
  var below: (any InterceptorLink)? { get }

  /// Lets this interceptor prepare the request.
  func prepare(_ request: inout Request, _ context: CallContext) -> RequestPreparation

  /// Lets this interceptor inspect the response.
  func inspect(
    _ response: Response, to request: Request, context: CallContext
  ) -> ResponseInspection
}

extension InterceptorLink {
  /// Lets this interceptor and those below it prepare the request, one after the other.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - inspectors: Receives the interceptors that inspect the response.
  ///   - context: The context of the call.
  /// - Returns: The first interceptor that has to wait, if any.
  func prepareAll(
    _ request: inout Request, _ inspectors: inout Inspectors, _ context: CallContext
  ) -> (any InterceptorLink)? {
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
private final class TypedLink<Own: Interceptor>: InterceptorLink {
  private let own: Own
  let below: (any InterceptorLink)?

  var interceptor: any Interceptor { own }

  init(_ own: Own, above below: (any InterceptorLink)?) {
    self.own = own
    self.below = below
  }

  func prepare(_ request: inout Request, _ context: CallContext) -> RequestPreparation {
    own.prepare(&request, context: context)
  }

  func inspect(
    _ response: Response, to request: Request, context: CallContext
  ) -> ResponseInspection {
    own.inspect(response, to: request, context: context)
  }
}

extension [any Interceptor] {
  /// The first of these interceptors, with those below it.
  var linked: (any InterceptorLink)? {
    reversed().reduce(nil) { below, interceptor in link(interceptor, above: below) }
  }

  private func link(
    _ interceptor: some Interceptor, above below: (any InterceptorLink)?
  ) -> any InterceptorLink {
    TypedLink(interceptor, above: below)
  }
}

import MartletCore

/// The interceptors that inspect the response to a request, the lowest last.
struct Inspectors {
  /// An interceptor that inspects the response.
  struct Inspector {
    let link: InterceptorLink
    /// The request, as the interceptor has prepared it.
    let request: Request
  }

  private var inspectors: [Inspector] = []

  /// Adds an interceptor above which all others are, with the request that it has prepared.
  mutating func add(_ link: InterceptorLink, _ request: Request) {
    // A session's pipeline usually has five.
    if inspectors.isEmpty { inspectors.reserveCapacity(6) }
    inspectors.append(Inspector(link: link, request: request))
  }

  /// Lets the interceptors inspect a response, the lowest first, and removes each.
  ///
  /// - Returns: The first that replaces the response; `nil` if none does.
  mutating func firstToReplace(_ response: Response, _ context: CallContext) -> Inspector? {
    while let inspector = inspectors.popLast() {
      let inspection = inspector.link.inspect(response, to: inspector.request, context: context)
      if case .replaceResponse = inspection { return inspector }
    }
    return nil
  }

  /// Lets the interceptors inspect an error, the lowest first, and removes each.
  ///
  /// - Returns: The error that the topmost returns.
  mutating func mapError(_ error: any Error, _ context: CallContext) -> any Error {
    var error = error
    while let inspector = inspectors.popLast() {
      error = inspector.link.interceptor.mapError(
        error, after: inspector.request, context: context)
    }
    return error
  }
}

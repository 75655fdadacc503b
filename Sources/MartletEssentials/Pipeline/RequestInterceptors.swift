public import MartletCore

extension Request {
  /// The interceptors of this request alone. They follow those that the session has for each call. The default is none.
  public var interceptors: [any Interceptor] {
    get { ownInterceptors as? [any Interceptor] ?? [] }
    set { ownInterceptors = newValue }
  }
}

/// Passes a request through its own interceptors, if it has any.
struct RequestInterceptors: Interceptor {
  func prepare(_ request: inout Request, context: CallContext) -> RequestPreparation {
    request.ownInterceptors.isEmpty ? .passThrough : .callSend
  }

  func send(_ request: Request, next: Next) async throws -> Response {
    var request = request
    let interceptors = request.interceptors
    guard !interceptors.isEmpty else { return try await next.send(request) }
    request.interceptors = []
    let own = Next(interceptors, over: next, next.context)
    return try await CancellationInterceptor().send(request, next: own)
  }
}

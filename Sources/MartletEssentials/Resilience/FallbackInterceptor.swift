public import MartletCore

/// Answers a request in another way when all attempts have failed, as a ``Fallback`` says.
///
/// A session with a fallback has one above ``RetryInterceptor``.
public struct FallbackInterceptor: Interceptor {
  private let fallback: Fallback
  /// Which outcomes are failures of the server.
  private let failures = CircuitBreakerPolicy()

  /// An interceptor that answers in another way after a failure.
  public init(_ fallback: Fallback) {
    self.fallback = fallback
  }

  /// Sends the request, and after a failure those that take its place.
  ///
  /// - Throws: What `next` throws for the first request, if no other has a response.
  public func send(_ request: Request, next: Next) async throws -> Response {
    let failure: Result<Response, any Error>
    do {
      let response = try await next.send(request)
      guard failures.isFailure(.status(response.status)) == true else { return response }
      failure = .success(response)
    } catch {
      guard isFailure(error) else { throw error }
      failure = .failure(error)
    }
    return try await replacement(for: failure, request, next) ?? failure.get()
  }

  private func isFailure(_ error: any Error) -> Bool {
    guard let error = error as? MartletError else { return false }
    let isRefused = error.code == .circuitOpen || error.code == .limitReached
    if let head = error.response, error.code == .unacceptableStatusCode {
      return failures.isFailure(.status(head.status)) == true
    }
    return isRefused || failures.isFailure(.error(error)) == true
  }

  private func replacement(
    for failure: Result<Response, any Error>, _ request: Request, _ next: Next
  ) async throws -> Response? {
    let isUnprocessed: Bool =
      switch failure {
      case .success: false
      case .failure(let error): (error as? MartletError)?.isSafeToRetry ?? false
      }
    for other in fallback.requests(inPlaceOf: request, isUnprocessed: isUnprocessed) {
      guard request.call?.isCancelled != true, !Task.isCancelled else {
        throw MartletError.cancelled
      }
      let isStored = other.options.cachePolicy == .returnCacheDataDontLoad
      guard let response = try? await next.send(other),
        failures.isFailure(.status(response.status)) == false
      else { continue }
      request.call?.report(.fellBack(to: isStored ? nil : other.url))
      if case .success(let first) = failure { await first.body.discard() }
      return response
    }
    return nil
  }
}

import Martlet

/// Sends a request again when the connection has failed or the server is busy, at most three times in all.
///
/// It is meant for requests that may arrive twice, such as GET and PUT.
struct RetryInterceptor: Interceptor {
  var attempts = 3
  var pause = Duration.milliseconds(200)

  func send(_ request: Request, next: Next) async throws -> Response {
    for attempt in 1..<attempts {
      do {
        let response = try await next.send(request)
        guard response.status == .serviceUnavailable else { return response }
      } catch let error as MartletError where Self.codes.contains(error.code) {
        // The next attempt may succeed.
      }
      try await Task.sleep(for: pause * attempt)
    }
    return try await next.send(request)
  }

  private static let codes: Set<MartletError.Code> = [
    .connectionFailed, .connectionLost, .timedOut,
  ]
}

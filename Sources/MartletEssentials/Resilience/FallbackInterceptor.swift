import EssentialFoundation
public import MartletCore

/// Answers a request in another way when all attempts have failed, as a ``Fallback`` says.
///
/// A session with a fallback has one above ``RetryInterceptor``.
public struct FallbackInterceptor: Interceptor {
  /// The longest body of a failure that is kept while another request is sent. A longer one is discarded.
  private static let keptBody = 1 << 20

  private let fallback: Fallback
  /// Which outcomes are failures.
  private let failures: RetryPolicy = {
    var policy = RetryPolicy()
    policy.errors.formUnion([.circuitOpen, .limitReached])
    return policy
  }()

  /// An interceptor that answers in another way after a failure.
  public init(_ fallback: Fallback) {
    self.fallback = fallback
  }

  /// Sends the request, and after a failure those that take its place.
  ///
  /// - Throws: What `next` throws for the first request, if no other has a response; `MartletError` with code
  ///   `.cancelled`.
  public func send(_ request: Request, next: Next) async throws -> Response {
    let outcome = await Result { try await next.send(request) }
    let cause: AttemptFailure? =
      switch outcome {
      case .success(let response): AttemptFailure(response)
      case .failure(let error): AttemptFailure(error)
      }
    guard let cause, failures.applies(to: cause.reason) else { return try outcome.get() }
    let replacements = fallback.replacements(
      for: request, isUnprocessed: cause.isUnprocessed,
      isDownload: next.context.task?.download != nil)
    guard !replacements.isEmpty else { return try outcome.get() }
    // The connection of the failed response, and its place in a limit, are free for the next request.
    let kept = try? await outcome.get().kept(upTo: Self.keptBody)
    if let response = try await response(of: replacements, request, next) { return response }
    return try kept ?? outcome.get()
  }

  /// Returns the first response that is no failure.
  private func response(
    of replacements: [Fallback.Replacement], _ request: Request, _ next: Next
  ) async throws -> Response? {
    for replacement in replacements {
      do {
        let response = try await next.send(replacement.request)
        guard !failures.applies(to: .status(response.status)), response.status.code != 504 else {
          continue
        }
        request.call?.report(.fellBack(to: replacement.url))
        return response
      } catch {
        guard (error as? MartletError)?.code != .cancelled, !Task.isCancelled else { throw error }
      }
    }
    return nil
  }
}

extension Response {
  /// Returns the response with its body in memory, or without it if it is too long or breaks off.
  fileprivate func kept(upTo limit: Int) async -> Response {
    guard body.kind == .streamed else { return self }
    var response = self
    if let bytes = try? await body.collect(upTo: limit) {
      response.body = ResponseBody(bytes: bytes, completion: body.completion)
    } else {
      body.cancel()
      response.body = .empty
    }
    return response
  }
}

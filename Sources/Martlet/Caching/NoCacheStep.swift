import MartletCore

/// Carries out the `cachePolicy` of requests in a session without a cache.
///
/// A request that allows a kept response only fails, because there is none. All others pass.
struct NoCacheStep: PassingStep {
  func send(_ request: Request, next: any Transport) async throws -> Response {
    guard request.options.cachePolicy != .returnCacheDataDontLoad else {
      throw MartletError.noCache(for: request.url)
    }
    return try await Passage([self], over: next).send(request)
  }

  func prepare(_ request: inout Request) -> Bool {
    guard let policy = request.options.cachePolicy else { return true }
    request.askCachesOnTheWay(policy)
    return policy != .returnCacheDataDontLoad
  }

  func passes(_ result: Result<Response, any Error>, to request: Request) -> Bool { true }
}

extension Request {
  /// Asks caches between here and the origin server not to answer on their own, where the policy says so
  /// (RFC 9111 §5.2.1.4). A `Cache-Control` of the request's own stays as it is.
  mutating func askCachesOnTheWay(_ policy: CachePolicy) {
    switch policy {
    case .reloadIgnoringLocalAndRemoteCacheData, .reloadRevalidatingCacheData:
      if !headers.contains(.cacheControl) { headers[.cacheControl] = "no-cache" }
    case .useProtocolCachePolicy, .reloadIgnoringLocalCacheData, .returnCacheDataElseLoad,
      .returnCacheDataDontLoad:
      break
    }
  }
}

import MartletCore

/// Carries out the `cachePolicy` of requests in a session without a cache.
///
/// A request that allows a kept response only fails, because there is none. All others pass.
struct NoCacheStep: Step {
  func send(_ request: Request, next: Next) async throws -> Response {
    throw MartletError.noCache(for: request.url)
  }

  func prepare(_ request: inout Request, _ context: CallContext) -> Preparation {
    guard let policy = request.options.cachePolicy else { return .done }
    guard policy != .returnCacheDataDontLoad else { return .waiting }
    request.askCachesOnTheWay(policy)
    return .done
  }
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

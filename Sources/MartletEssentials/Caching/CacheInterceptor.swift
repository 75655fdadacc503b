import EssentialFoundation
public import MartletCore

/// Answers requests from a cache, and stores responses in it, by RFC 9111 and the request's `cachePolicy`.
///
/// Bodies are stored as they were received, with their content coding. A response that is not fresh is revalidated: the
/// server confirms it, or sends another. The response says what the cache has done, as its `cacheStatus` and in its
/// `Cache-Status` field (RFC 9211).
///
/// The response to a revalidation in the background (RFC 5861 §3) belongs to no task: it is stored, but its cookies are
/// not.
///
/// A session makes its own from `cache` in its configuration. One that you make knows nothing of the session's client
/// certificates and security policy: use its cache for one set of them.
public struct CacheInterceptor: Interceptor {
  private let cache: SharedCache
  private let revalidations = BackgroundTasks<CacheKey>()
  /// `nil` if each request has an exchange of its own.
  private let collapsed: CollapsedRequests?

  /// An interceptor that stores responses in `cache`.
  ///
  /// - Parameters:
  ///   - cache: Stores the responses.
  ///   - options: How they are used. The default has the documented defaults.
  public init(_ cache: any ResponseCache, options: CacheOptions = CacheOptions()) {
    self.init(cache, options, over: nil)
  }

  /// The same for a session with these connections, and with a clock.
  init(
    _ cache: any ResponseCache, _ options: CacheOptions, over connections: ConnectionSettings?,
    clock: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.cache = SharedCache(cache, options, over: connections, clock: clock)
    collapsed =
      options.collapsesRequests ? CollapsedRequests(largestBody: cache.largestBufferedBody) : nil
  }

  /// Uses the stored responses that were received under a security policy, from now on.
  func setPolicy(_ policy: SecurityPolicy) {
    cache.setPolicy(policy)
  }

  /// Waits for the revalidations in the background, and cancels those that last longer than the limit.
  func finishRevalidations(within limit: Duration) async {
    await revalidations.finish(within: limit)
    await cache.recordings.finish(within: limit)
  }

  /// What the cache has done so far.
  public var statistics: CacheStatistics { cache.statistics }

  /// The number of requests that wait for a shared exchange.
  var waitingCount: Int { collapsed?.waitingCount ?? 0 }

  /// Answers from the cache, or sends the request.
  ///
  /// - Throws: What `next` throws; `MartletError` with code `.notCached` when the request allows only a cached
  ///   response, and there is none.
  public func send(_ request: Request, next: Next) async throws -> Response {
    guard let lookup = CacheLookup(request, cache.options, cache.connections) else {
      guard !CacheLookup.isRequired(by: request) else { throw MartletError.notCached(request.url) }
      return try await UncachedExchange(cache, request, next).send()
    }
    switch await decision(lookup) {
    case .refuse: throw MartletError.notCached(request.url)
    case .forward(let forwarding):
      if let collapsed, lookup.mayBeCollapsed,
        let shared = try await share(lookup, forwarding, collapsed, next)
      {
        return shared
      }
      return try await CacheExchange(cache, lookup, next).send(forwarding)
    case .answer(let answer):
      if let forwarding = answer.revalidation { revalidate(forwarding, lookup, next) }
      return cache.hit(answer, for: request)
    }
  }

  /// Returns how a request is answered. The file of the response that answers it is open; a response whose file cannot be
  /// opened does not count as stored.
  private func decision(_ lookup: CacheLookup) async -> CacheLookup.Decision {
    let call = lookup.request.call
    var stored = await cache.responses(for: lookup.key, of: call)
    while true {
      let decision = lookup.decision(among: stored, at: cache.now)
      guard case .answer(var answer) = decision, answer.stored.body.file != nil else {
        return decision
      }
      if let opened = await cache.opened(answer.stored, for: lookup.key, of: call) {
        answer.stored = opened
        return .answer(answer)
      }
      stored.removeAll { $0.record.id == answer.stored.record.id }
    }
  }

  /// Returns the response of an exchange that identical requests share; `nil` if it cannot be shared.
  private func share(
    _ lookup: CacheLookup, _ forwarding: CacheForwarding, _ collapsed: CollapsedRequests,
    _ next: Next
  ) async throws -> Response? {
    let (request, call) = (lookup.request, lookup.request.call ?? Call())
    let exchange = CacheExchange(inBackground: cache, lookup, next)
    let hasBegun = Locked(false)
    let response = try await collapsed.response(to: lookup, of: call) {
      hasBegun.withLock { $0 = true }
      return try await exchange.send(forwarding)
    }
    guard let response else { return nil }
    return cache.shared(response, with: request, isFirst: hasBegun.current)
  }

  /// Revalidates a response in the background, while it is used (RFC 5861 §3).
  private func revalidate(_ forwarding: CacheForwarding, _ lookup: CacheLookup, _ next: Next) {
    let exchange = CacheExchange(inBackground: cache, lookup, next)
    revalidations.begin(lookup.key) {
      let response = try await exchange.send(forwarding)
      guard response.cacheStatus?.isStored == true else { return response.body.cancel() }
      // The body is stored while it is read.
      for try await _ in response.body {}
    }
  }
}

/// Applies the `cachePolicy` of requests in a session without a cache.
///
/// A request whose policy allows only a cached response fails, because there is none. All others pass.
struct NoCacheInterceptor: Interceptor {
  func send(_ request: Request, next: Next) async throws -> Response {
    throw MartletError.noCache(for: request.url)
  }

  func prepare(_ request: inout Request, context: CallContext) -> RequestPreparation {
    guard let policy = request.options.cachePolicy else { return .passThrough }
    guard policy != .returnCacheDataDontLoad else { return .callSend }
    policy.addDirectives(to: &request.headers)
    return .passThrough
  }
}

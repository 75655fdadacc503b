import Foundation
import HTTPTypes
public import MartletCore
import NIOCore

/// Answers requests from a cache where RFC 9111 and the request's `cachePolicy` allow it, and keeps what
/// comes back.
///
/// Only whole responses to GET without a body that are collected in memory are kept, decompressed. What is
/// written to a file is always loaded, unless a hook wants it there when it has come. A response that is not
/// fresh any more is loaded anew: nothing is revalidated.
public struct CacheStep: Step {
  private let cache: any ResponseCache

  /// A step that keeps responses in `cache`.
  public init(_ cache: any ResponseCache) {
    self.cache = cache
  }

  /// Answers from the cache, or sends the request.
  ///
  /// - Throws: What `next` throws; `MartletError` with code `.notCached` when the request wants a cached
  ///   response only, and there is none.
  public func send(_ request: Request, next: Next) async throws -> Response {
    if request.mayBeCached, let answer = await answer(to: request) { return answer }
    guard request.mayBeLoaded else { throw MartletError.notCached(request.url) }
    var request = request
    if let policy = request.options.cachePolicy { request.askCachesOnTheWay(policy) }
    guard request.method == .get else { return try await change(request, next) }
    let start = Date()
    var response = try await next.send(request)
    // The body of a redirect is not read, as a rule: whether it came with the head must make no difference.
    guard response.status.kind != .redirection, Freshness.isStorable(response.head, to: request),
      case .buffer(let limit) = request.delivery.fixedChoice
    else { return response }
    let keep: KeptBody.Keep = { [self, response, request, context = next.context] body in
      let body = ResponseBody(bytes: body)
      let cached = CachedResponse(response, body: body, to: request, requestTime: start)
      guard let wanted = wish(cached, context) else { return }
      // A cache that fails keeps nothing, and nothing else comes of it.
      try? await cache.store(wanted, for: CacheKey(request))
    }
    switch response.body.form {
    case .buffered:
      let bytes = response.body.bytes ?? ByteBuffer()
      if bytes.readableBytes <= limit { await keep(bytes) }
    case .streamed:
      let body = KeptBody(response.body, limit: limit, keep)
      response.body = ResponseBody(stream: body, of: request.call)
    case .file, .discarded: break
    }
    return response
  }

  /// A request that changes something makes what is kept about it worthless (§4.4).
  private func change(_ request: Request, _ next: Next) async throws -> Response {
    let response = try await next.send(request)
    let isSafe: Set<HTTPRequest.Method> = [.head, .options, .trace]
    if !isSafe.contains(request.method), (200..<400).contains(response.status.code) {
      try? await cache.remove(url: CacheKey(request).url)
    }
    return response
  }

  private func answer(to request: Request) async -> Response? {
    guard !request.delivery.isForFile,
      let kept = try? await cache.responses(for: CacheKey(request))
    else { return nil }
    let now = Date()
    let fitting = kept.filter { $0.fits(request) }.max { $0.responseTime < $1.responseTime }
    guard let cached = fitting,
      request.takesStale || Freshness.isFresh(cached, for: request, at: now)
    else { return nil }
    var answer = cached.response(to: request)
    answer.head.headers[.age] = Freshness.ageField(of: cached, at: now)
    request.call?.tell(of: answer)
    return answer
  }

  /// What the session's hook wants kept.
  private func wish(_ cached: CachedResponse, _ context: CallContext) -> CachedResponse? {
    guard let task = context.task, let hook = context.hooks?.onWillCacheResponse else {
      return cached
    }
    return hook(task, cached)
  }
}

extension Request {
  /// Whether a cache may answer, as far as the request tells.
  fileprivate var mayBeCached: Bool {
    isCacheable && options.cachePolicy?.usesKeptResponses ?? true
  }

  /// Whether the age of a cached response does not matter.
  fileprivate var takesStale: Bool {
    options.cachePolicy == .returnCacheDataElseLoad
      || options.cachePolicy == .returnCacheDataDontLoad
  }

  /// Whether the server may be asked (RFC 9111 §5.2.1.7).
  fileprivate var mayBeLoaded: Bool {
    options.cachePolicy != .returnCacheDataDontLoad
      && !CacheControl(headers).contains("only-if-cached")
  }
}

extension Delivery {
  /// Whether the body is to be in a file.
  fileprivate var isForFile: Bool {
    switch fixedChoice {
    case .file, .writer: true
    case .buffer, .stream, .discard: false
    case nil: isUndecided
    }
  }
}

extension Call {
  /// Tells of a response that no network was needed for.
  fileprivate func tell(of response: Response) {
    report(.answeredFromCache(response.head))
    if let count = response.body.bytes?.readableBytes {
      report(.received(bytes: count, total: Int64(count)))
    }
  }
}

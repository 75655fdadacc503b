import EssentialFoundation
import HTTPTypes
public import MartletCore
import NIOCore

/// Answers requests from a cache where RFC 9111 and the request's `cachePolicy` allow it, and keeps what
/// comes back.
///
/// Only whole responses to GET without a body that are collected in memory are kept, decompressed. What is
/// written to a file is always loaded, unless a hook wants it there when it has come. A response that is not
/// fresh any more is loaded anew: nothing is revalidated.
public struct CacheInterceptor: Interceptor {
  private let cache: any ResponseCache

  /// An interceptor that keeps responses in `cache`.
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
    if let policy = request.options.cachePolicy { request.addNoCacheDirective(for: policy) }
    guard request.method == .get else { return try await change(request, next) }
    let start = Date()
    var response = try await next.send(request)
    // The body of a redirect is not read, as a rule: whether it came with the head must make no difference.
    guard response.status.kind != .redirection, Freshness.isStorable(response.head, to: request),
      case .buffer(let limit) = request.delivery.fixedHandling
    else { return response }
    let keep: CachingBody.Keep = { [self, response, request, context = next.context] body in
      let body = ResponseBody(bytes: body)
      let cached = CachedResponse(response, body: body, to: request, requestTime: start)
      guard let wanted = responseToStore(cached, context) else { return }
      // A cache that fails keeps nothing, and nothing else comes of it.
      try? await cache.store(wanted, for: CacheKey(request))
    }
    switch response.body.kind {
    case .buffered:
      let bytes = response.body.bytes ?? ByteBuffer()
      if bytes.readableBytes <= limit { await keep(bytes) }
    case .streamed:
      let body = CachingBody(response.body, limit: limit, keep)
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
    let fitting = kept.filter { $0.matches(request) }.max { $0.responseTime < $1.responseTime }
    guard let cached = fitting,
      request.takesStale || Freshness.isFresh(cached, for: request, at: now)
    else { return nil }
    var answer = cached.response(to: request)
    answer.head.headers[.age] = Freshness.ageField(of: cached, at: now)
    request.call?.tell(of: answer)
    return answer
  }

  /// What the session's hook wants kept.
  private func responseToStore(_ cached: CachedResponse, _ context: CallContext) -> CachedResponse?
  {
    guard let task = context.task, let hook = context.hooks?.onWillCacheResponse else {
      return cached
    }
    return hook(task, cached)
  }
}

extension Request {
  /// Whether a cache may answer, as far as the request tells.
  fileprivate var mayBeCached: Bool {
    isCacheable && options.cachePolicy?.usesCachedResponses ?? true
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
    switch fixedHandling {
    case .file, .writer: true
    case .buffer, .stream, .discard: false
    case nil: isUndecided
    }
  }
}

extension Call {
  /// Tells of a response that no network was needed for.
  fileprivate func tell(of response: Response) {
    report(.cacheHit(response.head))
    if let count = response.body.bytes?.readableBytes {
      report(.bodyReceived(bytes: count, total: Int64(count)))
    }
  }
}

/// Carries out the `cachePolicy` of requests in a session without a cache.
///
/// A request that allows a kept response only fails, because there is none. All others pass.
struct NoCacheInterceptor: Interceptor {
  func send(_ request: Request, next: Next) async throws -> Response {
    throw MartletError.noCache(for: request.url)
  }

  func prepare(_ request: inout Request, context: CallContext) -> RequestPreparation {
    guard let policy = request.options.cachePolicy else { return .passThrough }
    guard policy != .returnCacheDataDontLoad else { return .callSend }
    request.addNoCacheDirective(for: policy)
    return .passThrough
  }
}

extension Request {
  /// Asks caches between here and the origin server not to answer on their own, where the policy says so
  /// (RFC 9111 §5.2.1.4). A `Cache-Control` of the request's own stays as it is.
  mutating func addNoCacheDirective(for policy: CachePolicy) {
    switch policy {
    case .reloadIgnoringLocalAndRemoteCacheData, .reloadRevalidatingCacheData:
      if !headers.contains(.cacheControl) { headers[.cacheControl] = "no-cache" }
    case .useProtocolCachePolicy, .reloadIgnoringLocalCacheData, .returnCacheDataElseLoad,
      .returnCacheDataDontLoad:
      break
    }
  }
}

/// A body that is kept when it has been read to its end.
final class CachingBody: DeliveringBodySource {
  typealias Keep = @Sendable (ByteBuffer) async -> Void

  private let body: ResponseBody
  private let limit: Int
  private let keep: Keep
  /// What has been read so far; `nil` when it is too much, or was kept.
  private let read = Locked<ByteBuffer?>(ByteBuffer())

  /// - Parameters:
  ///   - body: What is read.
  ///   - limit: How many bytes are kept at most.
  ///   - keep: Called once, with the whole.
  init(_ body: ResponseBody, limit: Int, _ keep: @escaping Keep) {
    self.body = body
    self.limit = limit
    self.keep = keep
  }

  func next() async throws -> ByteBuffer? {
    var chunks = body.makeAsyncIterator()
    guard let chunk = try await chunks.next() else {
      if let whole = read.withLock({ $0.take() }) { await keep(whole) }
      return nil
    }
    read.withLock { [limit] read in
      guard (read?.readableBytes ?? 0) + chunk.readableBytes <= limit else { return read = nil }
      read?.writeImmutableBuffer(chunk)
    }
    return chunk
  }

  /// What is read to the end is kept on the way; nothing else is.
  func deliver(_ handling: Delivery.BodyHandling) async throws -> ResponseBody? {
    switch handling {
    case .buffer(let limit):
      expectBuffer(limit)
      return nil
    case .stream: return nil
    case .discard, .file, .writer: return try await body.delivered(handling, of: nil)
    }
  }

  func expectBuffer(_ limit: Int) { body.expectBuffer(limit) }

  // The body is dropped with this one, and thereby abandoned.
  func abandon() {}

  var completion: ResponseBody.Completion? { body.completion }
}

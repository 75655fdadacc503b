import EssentialFoundation
import HTTPTypes
public import MartletCore
import NIOCore

/// Answers requests from a cache where RFC 9111 and the request's `cachePolicy` allow it, and stores responses in it.
///
/// Only complete responses to GET requests without a body are stored, and only if they are collected in memory. They
/// are stored decompressed. Redirects are not stored. A response that is written to a file is always loaded from the
/// server, unless the file is chosen after the head has arrived: by `onResponse` or by `Delivery(deciding:)`. A
/// response that is not fresh any more is loaded again, unless the request's `cachePolicy` accepts it: nothing is
/// revalidated.
public struct CacheInterceptor: Interceptor {
  private let cache: any ResponseCache

  /// An interceptor that stores responses in `cache`.
  public init(_ cache: any ResponseCache) {
    self.cache = cache
  }

  /// Answers from the cache, or sends the request.
  ///
  /// - Throws: What `next` throws; `MartletError` with code `.notCached` when the request allows only a cached
  ///   response, and there is none.
  public func send(_ request: Request, next: Next) async throws -> Response {
    if request.mayBeCached, let answer = await answer(to: request) { return answer }
    guard request.mayBeLoaded else { throw MartletError.notCached(request.url) }
    var request = request
    request.options.cachePolicy?.addDirectives(to: &request.headers)
    guard request.method == .get else { return try await sendAndInvalidate(request, next) }
    let start = Date()
    var response = try await next.send(request)
    // The body of a redirect is usually not read. So redirects are never stored, not even if the body arrived together
    // with the head.
    guard response.status.kind != .redirection, Freshness.isStorable(response.head, to: request),
      case .buffer(let limit) = request.delivery.fixedHandling
    else { return response }
    let store: CachingBody.Store = { [self, response, request, context = next.context] body in
      let body = ResponseBody(bytes: body)
      let cached = CachedResponse(response, body: body, to: request, requestTime: start)
      guard let wanted = responseToStore(cached, context) else { return }
      // If the cache fails, the response is not stored. The request does not fail.
      try? await cache.store(wanted, for: CacheKey(request))
    }
    switch response.body.kind {
    case .buffered:
      let bytes = response.body.bytes ?? ByteBuffer()
      if bytes.readableBytes <= limit { await store(bytes) }
    case .streamed:
      let body = CachingBody(response.body, limit: limit, store)
      response.body = ResponseBody(stream: body, of: request.call)
    case .file, .discarded: break
    }
    return response
  }

  /// Sends a request other than GET. If its method is not safe and the status is from 200 to 399, the stored responses
  /// for its URL are removed (RFC 9111 §4.4).
  private func sendAndInvalidate(_ request: Request, _ next: Next) async throws -> Response {
    let response = try await next.send(request)
    let isSafe: Set<HTTPRequest.Method> = [.head, .options, .trace]
    if !isSafe.contains(request.method), (200..<400).contains(response.status.code) {
      try? await cache.remove(url: CacheKey(request).url)
    }
    return response
  }

  private func answer(to request: Request) async -> Response? {
    guard !request.delivery.isToFile, !request.delivery.isUndecided,
      let kept = try? await cache.responses(for: CacheKey(request))
    else { return nil }
    let now = Date()
    let fitting = kept.filter { $0.matches(request) }.max { $0.responseTime < $1.responseTime }
    guard let cached = fitting,
      request.acceptsStaleResponses || Freshness.isFresh(cached, for: request, at: now)
    else { return nil }
    var answer = cached.response(to: request)
    answer.head.headers[.age] = Freshness.ageField(of: cached, at: now)
    request.call?.reportCacheHit(answer)
    return answer
  }

  /// Returns the response that the session's hook wants to store.
  private func responseToStore(_ cached: CachedResponse, _ context: CallContext) -> CachedResponse?
  {
    guard let task = context.task, let hook = context.hooks?.onWillCacheResponse else {
      return cached
    }
    return hook(task, cached)
  }
}

extension Request {
  /// Whether the request allows an answer from a cache.
  fileprivate var mayBeCached: Bool {
    Freshness.isCacheable(self) && options.cachePolicy?.usesCachedResponses ?? true
  }

  /// Whether the age of a cached response does not matter.
  fileprivate var acceptsStaleResponses: Bool {
    options.cachePolicy == .returnCacheDataElseLoad
      || options.cachePolicy == .returnCacheDataDontLoad
  }

  /// Whether the request may be sent to the server (RFC 9111 §5.2.1.7).
  fileprivate var mayBeLoaded: Bool {
    options.cachePolicy != .returnCacheDataDontLoad
      && !CacheControl(headers).contains("only-if-cached")
  }
}

extension Call {
  /// Reports a response that came from the cache.
  fileprivate func reportCacheHit(_ response: Response) {
    report(.cacheHit(response.head))
    if let count = response.body.bytes?.readableBytes {
      report(.bodyReceived(bytes: count, total: Int64(count)))
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

/// A body that is stored when it has been read to its end.
final class CachingBody: DeliveringBodySource {
  typealias Store = @Sendable (ByteBuffer) async -> Void

  private let body: ResponseBody
  private let limit: Int
  private let store: Store
  /// The bytes that have been read so far; `nil` when they exceed the limit, or have been stored.
  private let read = Locked<ByteBuffer?>(ByteBuffer())

  /// - Parameters:
  ///   - body: The body to read.
  ///   - limit: The maximum number of bytes to store.
  ///   - store: Called at most once, with the whole body.
  init(_ body: ResponseBody, limit: Int, _ store: @escaping Store) {
    self.body = body
    self.limit = limit
    self.store = store
  }

  func next() async throws -> ByteBuffer? {
    var chunks = body.makeAsyncIterator()
    guard let chunk = try await chunks.next() else {
      if let whole = read.withLock({ $0.take() }) { await store(whole) }
      return nil
    }
    read.withLock { [limit] read in
      guard (read?.readableBytes ?? 0) + chunk.readableBytes <= limit else { return read = nil }
      read?.writeImmutableBuffer(chunk)
    }
    return chunk
  }

  /// A body that is read through this object is stored at its end. A body that is delivered in another way is not
  /// stored.
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

  // The body is released together with this object, and is thereby abandoned.
  func abandon() {}

  var completion: ResponseBody.Completion? { body.completion }
}

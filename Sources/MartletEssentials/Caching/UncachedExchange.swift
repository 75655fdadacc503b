import EssentialFoundation
import MartletCore

/// A request that no stored response may answer. Its response may make stored ones invalid (RFC 9111 §4.4).
struct UncachedExchange: Sendable {
  private let cache: SharedCache
  private let request: Request
  private let next: Next

  init(_ cache: SharedCache, _ request: Request, _ next: Next) {
    self.cache = cache
    self.request = request
    self.next = next
  }

  func send() async throws -> Response {
    let start = cache.now
    let isSafe = request.method == .get || request.method == .head
    let forwarding = CacheForwarding(isSafe ? .bypass : .method)
    let response = try await next.send(forwarding.request(request))
    let (key, head) = (CacheKey(request, cache.options), response.head)
    for url in CacheInvalidation.urls(after: request, key, head) {
      await cache.remove(url: url, of: request.call)
    }
    let status = cache.status(forwarding.reason, head.status.code)
    guard request.method == .post,
      let record = cache.newRecord(
        of: response, CacheMetadata(head), to: request, CacheControl(request.headers),
        CacheKey.url(of: request), sent: start)
    else { return cache.forwarded(response, for: request, status) }
    return await cache.record(
      response, as: CombinedPart(record), request, key, status, filter: next.context.cacheFilter)
  }
}

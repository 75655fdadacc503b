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
    let isSafe = request.method == .get || request.method == .head
    let forwarding = CacheForwarding(isSafe ? .bypass : .method)
    let connections = cache.connections
    let key = CacheKey(request, cache.options, connections)
    var sent = cache.sending(request, key, CacheKey.url(of: request), connections)
    let response = try await next.send(forwarding.request(request))
    for url in CacheInvalidation.urls(after: request, key, response.head) {
      await cache.remove(url: url, of: request.call)
    }
    // The removal is that of this response, which may be stored.
    sent.removalCount = cache.removalCount(of: key.url)
    let status = cache.status(forwarding.reason, response.status.code)
    guard request.method == .post,
      let record = cache.newRecord(of: response, CacheMetadata(response.head), to: sent)
    else { return cache.forwarded(response, for: request, status) }
    return await cache.record(
      response, as: CombinedPart(record), to: sent, status, filter: next.context.cacheFilter)
  }
}

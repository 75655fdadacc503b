import EssentialFoundation
import HTTPTypes
import MartletCore
import NIOCore

/// One request that the cache sends to the server, and the handling of its response.
struct CacheExchange: Sendable {
  private let cache: SharedCache
  private let lookup: CacheLookup
  private let next: Next
  private let filter: CacheFilter?

  init(_ cache: SharedCache, _ lookup: CacheLookup, _ next: Next) {
    self.cache = cache
    self.lookup = lookup
    self.next = next
    filter = next.context.cacheFilter
  }

  /// The same exchange for no task, and with its body as a stream. The session's hook still decides what is stored.
  init(inBackground cache: SharedCache, _ lookup: CacheLookup, _ next: Next) {
    self.cache = cache
    self.lookup = lookup.inBackground
    self.next = next.withoutTask
    filter = next.context.cacheFilter
  }

  private var request: Request { lookup.request }

  /// Sends the request, and returns the response: the server's, or a stored one that it confirms or completes, or that
  /// takes the place of its failure.
  ///
  /// - Throws: What `next` throws.
  func send(_ forwarding: CacheForwarding) async throws -> Response {
    let start = cache.now
    var response: Response
    do {
      response = try await next.send(forwarding.request(request))
    } catch {
      guard error.isUnreachable, let stale = stale(forwarding, failure: nil) else { throw error }
      return stale
    }
    switch forwarding.outcome(response.head, at: cache.now, sent: start) {
    case .new: break
    case .valid(let stored):
      await response.body.discard()
      return await confirm(stored, by: response, forwarding)
    case .completed(let prefix, let record):
      let status = cache.status(forwarding.reason, response.status.code)
      let (head, mayStore) = (response.head, mayStore(response))
      response.body = prefix.body.followed(by: response.body, of: request.call)
      response.head = record.head
      response.head.headers[fields: .setCookie] = head.headers[fields: .setCookie]
      guard mayStore else { return cache.forwarded(response, for: request, status) }
      return await cache.record(
        response, as: CombinedPart(record), request, lookup.key, status, filter: filter)
    case .failure:
      guard let stale = stale(forwarding, failure: response.status.code) else { break }
      await response.body.discard()
      return stale
    case .unusable:
      await response.body.discard()
      return try await send(forwarding.unconditional)
    }
    return await receive(response, forwarding, sent: start)
  }

  /// Returns a stored response because the server has failed (RFC 5861 §4); `nil` if none may be used.
  private func stale(_ forwarding: CacheForwarding, failure: Int?) -> Response? {
    guard let stored = forwarding.fallback,
      let form = CacheAnswer.Form(stored.record, for: lookup)
    else { return nil }
    let freshness = Freshness(of: stored.record, cache.options, at: cache.now)
    var status = cache.status(forwarding.reason, failure)
    status.timeToLive = freshness.timeToLive
    status.detail = "stale-if-error"
    cache.count { $0.misses += 1 }
    return cache.answer(CacheAnswer(stored, form, freshness), for: request, status)
  }

  /// Returns a stored response that the server has confirmed (RFC 9111 §4.3.4).
  private func confirm(
    _ stored: CachedResponse, by confirmation: Response, _ forwarding: CacheForwarding
  ) async -> Response {
    let head = confirmation.head
    if mayStore(confirmation) {
      await cache.update(stored.record, for: lookup.key, of: request.call)
    }
    let freshness = Freshness(of: stored.record, cache.options, at: cache.now)
    var status = cache.status(forwarding.reason, head.status.code)
    status.timeToLive = freshness.timeToLive
    cache.count {
      $0.misses += 1
      $0.revalidations += 1
    }
    // A confirmed variant is whole, so that it has a form for each request.
    let form = CacheAnswer.Form(stored.record, for: lookup) ?? .whole
    var response = cache.answer(CacheAnswer(stored, form, freshness), for: request, status)
    response.head.headers[fields: .setCookie] = head.headers[fields: .setCookie]
    response.isFromCache = false
    return response
  }

  /// Returns a response of the server, which is stored if it may be.
  private func receive(
    _ response: Response, _ forwarding: CacheForwarding, sent start: Date
  ) async -> Response {
    let status = cache.status(forwarding.reason, response.status.code)
    let (head, metadata) = (response.head, CacheMetadata(response.head))
    guard request.method == .get,
      Storability.isStorable(head, metadata, to: request, lookup.control, cache.options),
      response.hasSameCredentials(as: request)
    else {
      if request.method == .head || response.status == .notModified {
        await freshen(by: head, forwarding, sent: start)
      }
      return cache.forwarded(response, for: request, status)
    }
    let record = CachedResponse.Record(
      head, metadata, to: request, lookup.url, sent: start, received: cache.now)
    guard let part = forwarding.stored(record) else {
      await freshen(by: head, forwarding, sent: start)
      return cache.forwarded(response, for: request, status)
    }
    return await cache.record(response, as: part, request, lookup.key, status, filter: filter)
  }

  /// Whether neither the request nor its response forbids that anything of them is stored (§5.2.1.5, §5.2.2.5).
  private func mayStore(_ response: Response) -> Bool {
    let control = CacheControl(response.head.headers)
    return !lookup.control.contains(.noStore) && !control.contains(.noStore)
      && (cache.options.mode == .private || !control.contains(.private))
      && response.hasSameCredentials(as: request)
  }

  /// Updates the stored response that a newer head describes (§4.3.5), or removes what it shows to be outdated.
  private func freshen(
    by head: ResponseHead, _ forwarding: CacheForwarding, sent start: Date
  ) async {
    if let stored = forwarding.stored(
      matching: head, to: request, at: cache.now, sent: start)
    {
      await cache.update(stored.record, for: lookup.key, of: request.call)
    } else if request.method == .head, head.status == .ok, !forwarding.stored.isEmpty {
      await cache.remove(url: lookup.key.url, of: request.call)
    }
  }
}

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
    let (metadata, control) = (CacheMetadata(head), CacheControl(request.headers))
    guard request.method == .post,
      Storability.isStorable(head, metadata, to: request, control, cache.options)
    else { return cache.forwarded(response, for: request, status) }
    let record = CachedResponse.Record(
      head, metadata, to: request, CacheKey.url(of: request), sent: start, received: cache.now)
    return await cache.record(
      response, as: CombinedPart(record), request, key, status, filter: next.context.cacheFilter)
  }
}

extension CachedResponse.Record {
  /// The record of a response that may be stored. The record of a part has the head of the whole.
  init(
    _ head: ResponseHead, _ metadata: CacheMetadata, to request: Request, _ url: String,
    sent start: Date, received end: Date
  ) {
    var stored = ResponseHead(status: head.status, headers: head.headers.storable)
    var part: Part?
    if head.status == .partialContent, let range = ContentRange(head), let bytes = range.bytes {
      part = Part(bytes: bytes, total: range.total)
      stored.status = .ok
      stored.headers[.contentRange] = nil
      stored.headers[.contentLength] = range.total.map { "\($0)" }
    }
    self.init(
      id: .random(in: 0 ... .max), stored, metadata, urlText: url, start, end,
      Self.varyHeaders(of: head, to: request), part)
  }
}

extension Response {
  /// Whether the request that was sent has the credentials by which the response is stored, and no others that an
  /// interceptor below the cache has added.
  fileprivate func hasSameCredentials(as request: Request) -> Bool {
    guard let sent = self.request else { return true }
    return sent.headers.filter(\.isCredential) == request.headers.filter(\.isCredential)
  }
}

extension Error {
  /// Whether the server could not be reached, or has not answered.
  fileprivate var isUnreachable: Bool {
    guard let error = self as? MartletError else { return false }
    let codes: Set<MartletError.Code> = [
      .unknownHost, .connectionFailed, .connectionLost, .timedOut, .streamReset, .proxyNotReachable,
    ]
    return codes.contains(error.code)
  }
}

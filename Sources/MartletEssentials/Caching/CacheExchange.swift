import EssentialFoundation
import MartletCore

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
    self.lookup = CacheLookup(inBackground: lookup)
    self.next = next.withoutTask
    filter = next.context.cacheFilter
  }

  private var request: Request { lookup.request }

  /// Sends the request, and returns the response: the server's, or a stored one that it confirms or completes, or that
  /// takes the place of its failure.
  ///
  /// - Throws: What `next` throws.
  func send(_ forwarding: CacheForwarding) async throws -> Response {
    let sent = cache.sending(lookup)
    let response: Response
    do {
      response = try await next.send(forwarding.request(request))
    } catch {
      guard error.isUnreachable, let stale = await stale(forwarding, failure: nil) else {
        throw error
      }
      return stale
    }
    let metadata = CacheMetadata(response.head)
    switch await opened(
      forwarding.outcome(response.head, metadata, at: cache.now, sent: sent.time))
    {
    case .new: break
    case .valid(let stored):
      await response.body.discard()
      return await confirm(stored, by: response, metadata, forwarding)
    case .completed(let prefix, let record):
      return await complete(prefix, record, with: response, metadata, forwarding, sent)
    case .failure:
      guard let stale = await stale(forwarding, failure: response.status.code) else { break }
      await response.body.discard()
      return stale
    case .unusable:
      await response.body.discard()
      return try await send(forwarding.unconditional)
    }
    return await receive(response, metadata, forwarding, sent)
  }

  private func opened(_ stored: CachedResponse) async -> CachedResponse? {
    await cache.opened(stored, for: lookup.key, of: request.call)
  }

  /// Returns an outcome whose stored response can be used: the file of its body is open.
  private func opened(_ outcome: CacheForwarding.Outcome) async -> CacheForwarding.Outcome {
    switch outcome {
    case .valid(let stored): await opened(stored).map { .valid($0) } ?? .unusable
    case .completed(let prefix, let record):
      await opened(prefix).map { .completed($0, record) } ?? .unusable
    case .new, .unusable, .failure: outcome
    }
  }

  /// Returns a stored beginning with the rest that the server sends (RFC 9111 §3.4).
  private func complete(
    _ prefix: CachedResponse, _ record: CachedResponse.Record, with rest: Response,
    _ metadata: CacheMetadata, _ forwarding: CacheForwarding, _ sent: SentRequest
  ) async -> Response {
    let status = cache.status(forwarding.reason, rest.status.code)
    let length = record.head.announcedLength
    request.call?.report(
      .downloadResumed(offset: prefix.record.storedLength ?? 0, total: length))
    var response = rest
    // The length of the part need not have been announced, so that only this count finds a wrong one.
    response.body = prefix.body.followed(by: rest.body, length: length, of: request.call)
    response.head = record.head
    response.head.headers[fields: .setCookie] = rest.head.headers[fields: .setCookie]
    guard mayStore(rest, metadata.control) else {
      return cache.forwarded(response, for: request, status)
    }
    return await cache.record(
      response, as: CombinedPart(record, completing: prefix.record), to: sent, status,
      filter: filter
    )
  }

  /// Returns a stored response because the server has failed (RFC 5861 §4); `nil` if none may be used.
  private func stale(_ forwarding: CacheForwarding, failure: Int?) async -> Response? {
    guard let fallback = forwarding.fallback,
      let form = CacheAnswer.Form(fallback.record, for: lookup),
      let stored = await opened(fallback)
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
    _ stored: CachedResponse, by confirmation: Response, _ metadata: CacheMetadata,
    _ forwarding: CacheForwarding
  ) async -> Response {
    let head = confirmation.head
    if mayStore(confirmation, metadata.control) {
      for other in [stored] + forwarding.confirmed(with: stored, by: head, metadata) {
        await cache.update(other.record, for: lookup.key, of: request.call)
      }
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
    _ response: Response, _ metadata: CacheMetadata, _ forwarding: CacheForwarding,
    _ sent: SentRequest
  ) async -> Response {
    let status = cache.status(forwarding.reason, response.status.code)
    let record = cache.newRecord(of: response, metadata, to: sent)
    if let record, let part = await combined(record, forwarding) {
      return await cache.record(
        response, as: part, to: sent, status,
        replacing: forwarding.stored(supersededBy: record, to: request), filter: filter)
    }
    if record == nil, request.method == .get, lookup.isUnconditional, isOwnAnswer(response) {
      await remove(forwarding.stored(outdatedBy: response.status, to: request))
    }
    let isHead = request.method == .head && response.status == .ok
    if record != nil || response.status == .notModified || isHead {
      await freshen(by: response, metadata, forwarding, sent)
    }
    return cache.forwarded(response, for: request, status)
  }

  /// Returns what is stored of a new response: with the stored part of the same body, if there is one.
  private func combined(_ record: CachedResponse.Record, _ forwarding: CacheForwarding) async
    -> CombinedPart?
  {
    guard let part = forwarding.part(beside: record) else {
      return forwarding.stored(record, beside: nil)
    }
    return forwarding.stored(record, beside: await opened(part))
  }

  /// Whether neither the request nor its response forbids that anything of them is stored (§5.2.1.5, §5.2.2.5).
  private func mayStore(_ response: Response, _ control: CacheControl) -> Bool {
    !lookup.control.contains(.noStore) && !control.contains(.noStore)
      && (cache.options.mode == .private || !control.contains(.private))
      && isOwnAnswer(response)
  }

  /// Whether the response was received for the key of the request: with its fields, and under its security policy.
  private func isOwnAnswer(_ response: Response) -> Bool {
    Storability.isAnswer(response, to: request) && lookup.connections === cache.connections
  }

  private func remove(_ records: [CachedResponse.Record]) async {
    for record in records { await cache.remove(record, for: lookup.key, of: request.call) }
  }

  /// Updates the stored responses that a newer head describes, if it may be stored, and removes those that it shows to be
  /// outdated (§4.3.5).
  private func freshen(
    by response: Response, _ metadata: CacheMetadata, _ forwarding: CacheForwarding,
    _ sent: SentRequest
  ) async {
    if mayStore(response, metadata.control) {
      let described = forwarding.stored(
        matching: response.head, metadata, to: request, at: cache.now, sent: sent.time)
      for stored in described {
        await cache.update(stored.record, for: lookup.key, of: request.call)
      }
    }
    guard request.method == .head else { return }
    await remove(forwarding.stored(contradicting: response.head, metadata, to: request))
  }
}

extension Error {
  /// Whether the server could not be reached, has not answered, or has answered with something else than HTTP: a gateway
  /// answers such a request with 502 or 504 (RFC 9110 §15.6).
  fileprivate var isUnreachable: Bool {
    guard let error = self as? MartletError else { return false }
    let codes: Set<MartletError.Code> = [
      .unknownHost, .connectionFailed, .connectionLost, .timedOut, .streamReset, .proxyNotReachable,
      .proxyFailed, .tlsFailed, .malformedResponse,
    ]
    return codes.contains(error.code)
  }
}

import EssentialFoundation
import MartletCore

/// The responses of an exchange that have a stored body: it was confirmed, is completed, or takes the place of a failure.
extension CacheExchange {
  func opened(_ stored: CachedResponse) async -> CachedResponse? {
    await cache.opened(stored, for: lookup.key, of: request.call)
  }

  /// Returns an outcome whose stored response can be used: the file of its body is open.
  func opened(_ outcome: CacheForwarding.Outcome) async -> CacheForwarding.Outcome {
    switch outcome {
    case .valid(let stored): await opened(stored).map { .valid($0) } ?? .unusable
    case .completed(let prefix, let record):
      await opened(prefix).map { .completed($0, record) } ?? .unusable
    case .new, .unusable, .failure: outcome
    }
  }

  /// Returns a stored beginning with the rest that the server sends (RFC 9111 §3.4).
  func complete(
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
  func stale(_ forwarding: CacheForwarding, failure: Int?) async -> Response? {
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
  func confirm(
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
}

extension Error {
  /// Whether the server could not be reached, has not answered, or has answered with something else than HTTP: a gateway
  /// answers such a request with 502 or 504 (RFC 9110 §15.6).
  var isFailureOfServer: Bool {
    guard let error = self as? MartletError else { return false }
    let codes: Set<MartletError.Code> = [
      .unknownHost, .connectionFailed, .connectionLost, .timedOut, .streamReset, .proxyNotReachable,
      .proxyFailed, .tlsFailed, .malformedResponse,
    ]
    return codes.contains(error.code)
  }
}

import EssentialFoundation
import MartletCore

/// One request that the cache sends to the server, and the handling of its response.
struct CacheExchange: Sendable {
  let cache: SharedCache
  let lookup: CacheLookup
  private let next: Next
  let filter: CacheFilter?

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

  var request: Request { lookup.request }

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
      guard error.isFailureOfServer, let stale = await stale(forwarding, failure: nil) else {
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
      await drop(response)
      return try await send(forwarding.unconditional)
    }
    return await receive(response, metadata, forwarding, sent)
  }

  /// Ends the reading of a response that is not used. The body of a successful one may be long, and is not waited for.
  private func drop(_ response: Response) async {
    guard response.status.kind == .successful else { return await response.body.discard() }
    response.body.cancel()
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
  func mayStore(_ response: Response, _ control: CacheControl) -> Bool {
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

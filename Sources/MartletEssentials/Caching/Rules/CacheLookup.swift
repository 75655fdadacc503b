import EssentialFoundation
import HTTPTypes
import MartletCore

/// A request that a cache may answer, and the decision which stored response answers it (RFC 9111 §4).
///
/// A reference, because it is passed through several asynchronous functions.
final class CacheLookup: Sendable {
  let request: Request
  let key: CacheKey
  /// The directives of the request.
  let control: CacheControl
  let policy: Request.CachePolicy
  /// The requested part of the body; `nil` for the whole body.
  let range: ByteRange?
  /// Whether the request has conditions of its own (§4.3.2).
  let isConditional: Bool
  let options: CacheOptions
  /// The settings of the connections over which the request is sent; `nil` for a cache outside a session.
  let connections: ConnectionSettings?

  /// How a request is answered.
  enum Decision: Sendable {
    /// By a stored response.
    case answer(CacheAnswer)
    /// By the server.
    case forward(CacheForwarding)
    /// By an error: the request allows only a stored response.
    case refuse
  }

  /// The look-up for a request; `nil` if no stored response may answer it: it is neither GET nor HEAD, has a body or
  /// several ranges, is conditional in a way that only the server can evaluate (§4.3.2), has a `Host` of its own, asks for
  /// another protocol, or authenticates by Digest.
  init?(_ request: Request, _ options: CacheOptions, _ connections: ConnectionSettings?) {
    let headers = request.headers
    guard request.method == .get || request.method == .head, request.body.isEmpty,
      !headers.contains(where: \.preventsCaching)
    else { return nil }
    range = headers[.range].flatMap { ByteRange($0) }
    guard range != nil || !headers.contains(.range) else { return nil }
    isConditional = headers.contains(where: \.isCondition)
    self.request = request
    self.options = options
    self.connections = connections
    key = CacheKey(request, options, connections)
    policy = request.options.cachePolicy ?? .useProtocolCachePolicy
    control = CacheControl(headers)
  }

  /// The same look-up for a request that no caller waits for.
  init(inBackground lookup: CacheLookup) {
    var request = lookup.request
    request.call = nil
    request.delivery = .stream
    self.request = request
    (key, control, policy) = (lookup.key, lookup.control, lookup.policy)
    (range, isConditional, options) = (lookup.range, lookup.isConditional, lookup.options)
    connections = lookup.connections
  }

  /// Returns how the request is answered.
  ///
  /// - Parameters:
  ///   - stored: The stored responses for the key.
  ///   - now: The current time.
  /// - Returns: The decision.
  func decision(among stored: [CachedResponse], at now: Date) -> Decision {
    guard policy.usesCache else { return forward(stored.isEmpty ? .uriMiss : .request, stored) }
    // §4.1: of several matching responses, the most recent one is used. One without `Vary` may be a server's default.
    let matching = stored.filter { $0.record.matches(request) }
    let varying = matching.filter { !$0.record.varyHeaders.isEmpty }
    let candidates = varying.isEmpty ? matching : varying
    guard let newest = candidates.newest else {
      // The server may confirm that another variant is the answer.
      return forward(stored.isEmpty ? .uriMiss : .varyMiss, stored, validating: validated(stored))
    }
    let freshness = Freshness(of: newest.record, options, at: now)
    guard let form = CacheAnswer.Form(newest.record, for: self) else {
      let prefix = newest.record.canBeCompleted && isUnconditional ? newest : nil
      return forward(.partial, stored, completing: prefix)
    }
    guard let reason = reasonToForward(freshness) else {
      return .answer(CacheAnswer(newest, form, freshness))
    }
    if reason == .stale, freshness.mayBeUsedWhileRevalidating, isUnconditional,
      !control.contains(.onlyIfCached)
    {
      var answer = CacheAnswer(newest, form, freshness)
      answer.revalidation = CacheForwarding(reason, among: stored, validating: validated(stored))
      return .answer(answer)
    }
    let accepted = max(
      options.acceptedStalenessAfterErrors, TimeInterval(control.staleIfError ?? -1))
    let mayFallBack = reason == .stale && freshness.mayBeUsedAfterError(accepting: accepted)
    // RFC 9211 §2.2: what is not fresh is called stale, even if the request would not accept it either.
    return forward(
      freshness.isFresh ? reason : .stale, stored, validating: validated(stored),
      fallback: mayFallBack ? newest : nil)
  }

  /// Returns why a stored response may not be used without asking the server; `nil` if it may be used (§4.2).
  private func reasonToForward(_ freshness: Freshness) -> CacheStatus.ForwardReason? {
    switch policy {
    case .returnCacheDataElseLoad, .returnCacheDataDontLoad: return nil
    // RFC 8246 §2: what cannot have changed is not revalidated.
    case .reloadRevalidatingCacheData where !freshness.isImmutable: return .request
    default: break
    }
    if control.contains(.noCache) || control.isEmpty && request.headers.hasPragmaNoCache {
      return .request
    }
    if freshness.requiresValidation { return .stale }
    if let maxAge = control.maxAge, freshness.age > TimeInterval(maxAge) { return .request }
    if let minFresh = control.minFresh, freshness.remaining < TimeInterval(minFresh) {
      return .request
    }
    guard !freshness.isFresh else { return nil }
    guard let maxStale = control.maxStale, !freshness.forbidsStale else { return .stale }
    return -freshness.remaining <= TimeInterval(maxStale) ? nil : .stale
  }

  /// The URL of the request, as ``CacheKey/url`` has it.
  var url: String {
    request.cacheKey == nil && options.key == nil ? key.url : CacheKey.url(of: request)
  }

  /// Whether an identical request may receive the same response.
  var mayBeCollapsed: Bool {
    request.method == .get && policy == .useProtocolCachePolicy && isUnconditional
      && request.delivery.fixedHandling?.isBuffer == true
  }

  /// Whether the request has neither a condition nor a range of its own.
  var isUnconditional: Bool { range == nil && !isConditional }

  /// The most bytes of entity tags in a request. Servers refuse heads that are too long.
  private static let mostTagBytes = 2048

  /// Returns the stored responses that the server is asked about. A request with conditions of its own is sent as it is.
  /// The tag of a part is not sent, because the part cannot answer the request (§4.3.1).
  private func validated(_ stored: [CachedResponse]) -> CacheForwarding.Validated {
    var validated = CacheForwarding.Validated()
    guard !isConditional, !stored.isEmpty else { return validated }
    var others: [CachedResponse] = []
    for response in stored where response.record.part == nil && response.record.head.status == .ok {
      if response.record.matches(request) {
        if response.record.metadata.hasValidator { validated.selected.append(response) }
      } else if response.record.metadata.entityTag?.isStrong == true {
        others.append(response)
      }
    }
    var room = Self.mostTagBytes
    func fits(_ response: CachedResponse) -> Bool {
      let length = response.record.metadata.entityTag.map { $0.text.utf8.count + 2 } ?? 0
      guard length <= room else { return false }
      room -= length
      return true
    }
    validated.selected.removeAll { !fits($0) }
    validated.others = others.filter(fits)
    return validated
  }

  private func forward(
    _ reason: CacheStatus.ForwardReason, _ stored: [CachedResponse],
    validating validated: CacheForwarding.Validated = .init(),
    completing prefix: CachedResponse? = nil,
    fallback: CachedResponse? = nil
  ) -> Decision {
    guard policy != .returnCacheDataDontLoad, !control.contains(.onlyIfCached) else {
      return .refuse
    }
    return .forward(
      CacheForwarding(
        reason, among: stored, validating: validated, completing: prefix, fallback: fallback))
  }
}

extension CacheLookup {
  /// Whether a request may only be answered by a stored response (RFC 9111 §5.2.1.7).
  static func isRequired(by request: Request) -> Bool {
    request.options.cachePolicy == .returnCacheDataDontLoad
      || CacheControl(request.headers).contains(.onlyIfCached)
  }
}

extension Request.CachePolicy {
  /// Whether a stored response may answer the request, with or without revalidation.
  fileprivate var usesCache: Bool {
    switch self {
    case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: false
    default: true
    }
  }
}

extension CachedResponse.Record {
  /// When the server generated the response, in seconds since 1970: its `Date`, or when it arrived.
  var generationTime: TimeInterval {
    metadata.date.map(TimeInterval.init) ?? responseTime.timeIntervalSince1970.rounded(.down)
  }

  /// Whether another response was generated later (§4). Of two from the same second, the later one has arrived later.
  func isOlder(than other: Self) -> Bool {
    (generationTime, responseTime) < (other.generationTime, other.responseTime)
  }

  /// Whether the missing end of the body can be requested (§3.3).
  fileprivate var canBeCompleted: Bool {
    guard let part, part.bytes.lowerBound == 0 else { return false }
    return metadata.entityTag?.isStrong == true
  }
}

extension HTTPField {
  /// Whether it is a condition that a cache evaluates (§4.3.2).
  fileprivate var isCondition: Bool {
    switch name.rawName.utf8.count {
    case 8: name == .ifRange
    case 13: name == .ifNoneMatch
    case 17: name == .ifModifiedSince
    default: false
    }
  }

  /// Whether only the server can answer a request with this field.
  ///
  /// Digest credentials are different for each request. The user name in them does not prove that the sender knows the
  /// password, which only the server can check.
  fileprivate var preventsCaching: Bool {
    switch name.rawName.utf8.count {
    // The key has the host of the URL.
    case 4: name.isHost
    case 7: name == .upgrade
    case 8: name == .ifMatch
    case 13: name == .authorization && value.prefix(7).asciiLowercased == "digest "
    case 19: name == .ifUnmodifiedSince
    default: false
    }
  }
}

extension HTTPFields {
  /// Whether they request a new response with the `Pragma` field of HTTP/1.0 (§5.4).
  fileprivate var hasPragmaNoCache: Bool {
    contains { $0.name.canonicalName == "pragma" && $0.value.asciiLowercased.contains("no-cache") }
  }
}

package import EssentialFoundation
import MartletCore

/// How long a stored response may be used without a new request to the server (RFC 9111 §4.2).
struct Freshness: Hashable, Sendable {
  /// The seconds for which the response stays fresh after it was generated.
  let lifetime: TimeInterval
  /// The seconds since the server has generated it; infinite if the clock was set back since then.
  let age: TimeInterval
  private let stored: CachedResponse.Record
  private let mode: CacheOptions.Mode

  init(of stored: CachedResponse.Record, _ options: CacheOptions, at now: Date) {
    self.stored = stored
    mode = options.mode
    age = Self.age(stored.metadata, stored, at: now)
    lifetime = Self.lifetime(stored.metadata, stored, options)
  }

  private var control: CacheControl { stored.metadata.control }

  /// The seconds for which it stays fresh; negative if it is stale.
  var remaining: TimeInterval { lifetime - age }

  /// The same as a whole number, for `Cache-Status`.
  var timeToLive: Int { Int(min(max(remaining, -0x8000_0000), 0x8000_0000)) }

  /// The value of the `Age` field (§5.1).
  var ageField: String { String(Int64(min(max(age, 0), 0x8000_0000))) }

  /// Whether it is fresh (§4.2).
  var isFresh: Bool { remaining > 0 }

  /// Whether the server forbids that it is used without revalidation (§5.2.2.4).
  var requiresValidation: Bool { control.contains(.noCache) }

  /// Whether the server promises that the body does not change while it is fresh (RFC 8246 §2), and is trusted (§3).
  var isImmutable: Bool { isFresh && control.contains(.immutable) && isTrusted }

  /// Whether an authenticated server has announced the length of the body (RFC 8246 §3).
  private var isTrusted: Bool { stored.urlText.hasPrefix("https:") && stored.totalLength != nil }

  /// Whether the server forbids that it is used when it is stale (§4.2.4).
  var forbidsStale: Bool {
    control.contains(.noCache) || control.contains(.mustRevalidate)
      || mode == .shared && (control.contains(.proxyRevalidate) || control.sharedMaxAge != nil)
  }

  /// Whether it may be used while it is revalidated (RFC 5861 §3).
  var mayBeUsedWhileRevalidating: Bool {
    !forbidsStale && -remaining <= TimeInterval(control.staleWhileRevalidate ?? -1)
  }

  /// The seconds for which the server allows that it is used when it is stale (RFC 5861).
  var acceptedStaleness: TimeInterval {
    TimeInterval(max(control.staleWhileRevalidate ?? 0, control.staleIfError ?? 0))
  }

  /// Whether it may be used because the server cannot be reached, or has failed (RFC 5861 §4).
  ///
  /// - Parameter accepted: The staleness that the request or the session accepts.
  /// - Returns: Whether its staleness is accepted.
  func mayBeUsedAfterError(accepting accepted: TimeInterval) -> Bool {
    !forbidsStale && -remaining <= max(accepted, TimeInterval(control.staleIfError ?? -1))
  }

  /// Returns the lifetime (§4.2.1).
  private static func lifetime(
    _ metadata: CacheMetadata, _ stored: CachedResponse.Record, _ options: CacheOptions
  ) -> TimeInterval {
    let control = metadata.control
    if options.mode == .shared, let seconds = control.sharedMaxAge { return TimeInterval(seconds) }
    if let seconds = control.maxAge { return TimeInterval(seconds) }
    let date = metadata.date.map(TimeInterval.init) ?? stored.responseTime.timeIntervalSince1970
    if let expires = metadata.expires { return TimeInterval(expires) - date }
    let isHeuristic = stored.head.status.isHeuristicallyCacheable || control.contains(.public)
    guard let modified = metadata.lastModified, isHeuristic else { return 0 }
    return min(
      max(0, date - TimeInterval(modified)) * max(0, min(options.heuristicFraction, 1)),
      options.heuristicLimit)
  }

  /// Returns the current age (§4.2.3).
  private static func age(
    _ metadata: CacheMetadata, _ stored: CachedResponse.Record, at now: Date
  ) -> TimeInterval {
    let resident = now.timeIntervalSince(stored.responseTime)
    guard resident > -1 else { return .infinity }
    let response = stored.responseTime.timeIntervalSince1970
    let apparent = max(0, response - (metadata.date.map(TimeInterval.init) ?? response))
    let delay = max(0, stored.responseTime.timeIntervalSince(stored.requestTime))
    return max(apparent, TimeInterval(metadata.age) + delay) + max(0, resident)
  }
}

extension CachedResponse.Record {
  /// Returns the seconds for which the response stays fresh with default options; negative if it is stale.
  package func timeToLive(at now: Date) -> Int {
    Freshness(of: self, CacheOptions(), at: now).timeToLive
  }
}

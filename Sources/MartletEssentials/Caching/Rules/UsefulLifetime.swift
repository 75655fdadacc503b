package import EssentialFoundation
import MartletCore

extension CachedResponse.Record {
  /// Returns for how many seconds a response can be of use: while it is fresh (RFC 9111 §4.2), while it may be used
  /// although it is stale (RFC 5861), and after that as long as `retention`, if the server can confirm that it is still
  /// valid (RFC 9111 §4.3.1).
  ///
  /// The time is long enough for a private cache and for a shared one.
  ///
  /// - Parameters:
  ///   - retention: The seconds for which a stale response is kept that the server can confirm.
  ///   - now: The current time.
  /// - Returns: The seconds from now; 0 if the response is of no use.
  package func usefulLifetime(retention: TimeInterval, at now: Date) -> TimeInterval {
    let usable = [CacheOptions.Mode.private, .shared].map { mode in
      var options = CacheOptions()
      options.mode = mode
      return Freshness(of: self, options, at: now).usableTime
    }
    return max(0, usable.max() ?? 0) + (metadata.hasValidator ? max(0, retention) : 0)
  }
}

extension Freshness {
  /// The seconds for which the response may be used without being confirmed; negative if it may not be used any more.
  fileprivate var usableTime: TimeInterval {
    guard !requiresValidation else { return 0 }
    return remaining + (forbidsStale ? 0 : acceptedStaleness)
  }
}

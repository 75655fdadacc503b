import EssentialFoundation
import MartletCore

/// A request that is sent past the cache, with the state of the cache at that time.
struct SentRequest: Sendable {
  let request: Request
  let key: CacheKey
  /// The directives of the request.
  let control: CacheControl
  /// The URL of the response, which the key need not have.
  let url: String
  /// The settings of the connections over which it is sent.
  let connections: ConnectionSettings?
  /// When it is sent.
  let time: Date
  /// How often responses of its URL had been removed when it was sent. After another removal, its response is outdated.
  var removalCount: Int

  init(
    _ request: Request, _ key: CacheKey, _ url: String, _ connections: ConnectionSettings?,
    at time: Date, removalCount: Int
  ) {
    (self.request, self.key, self.url) = (request, key, url)
    (self.connections, self.time, self.removalCount) = (connections, time, removalCount)
    control = CacheControl(request.headers)
  }
}

extension SharedCache {
  /// The request of a look-up that is sent now.
  func sending(_ lookup: CacheLookup) -> SentRequest {
    sending(lookup.request, lookup.key, lookup.url, lookup.connections)
  }

  /// A request that is sent now.
  func sending(
    _ request: Request, _ key: CacheKey, _ url: String, _ connections: ConnectionSettings?
  ) -> SentRequest {
    SentRequest(
      request, key, url, connections, at: now, removalCount: removalCount(of: key.url))
  }
}

/// Counts how often the responses of each URL were removed.
struct RemovalCounts: Sendable {
  private var counts: [String: Int] = [:]
  private var last = 0
  /// The count of all URLs that are not among `counts`.
  private var other = 0

  /// The most URLs whose counts are kept.
  private static let mostURLs = 1000

  subscript(url: String) -> Int { counts[url] ?? other }

  /// Counts a removal. If there are too many, it counts for all URLs.
  mutating func add(_ url: String) {
    last += 1
    if counts.count == Self.mostURLs { (counts, other) = ([:], last) }
    counts[url] = last
  }
}

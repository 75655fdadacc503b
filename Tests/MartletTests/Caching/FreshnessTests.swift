import Foundation
import HTTPTypes
import MartletCore
import SpecificationCoverage
import Testing

@testable import Martlet
@testable import MartletEssentials

/// How long a stored response is fresh (RFC 9111 §4.2, RFC 5861, RFC 8246).
struct FreshnessTests {
  private static let sent = "Sun, 06 Nov 1994 08:49:37 GMT"
  private static let minuteLater = "Sun, 06 Nov 1994 08:50:37 GMT"
  private static let tenDaysEarlier = "Thu, 27 Oct 1994 08:49:37 GMT"

  private func record(_ headers: HTTPFields, status: Int = 200, delay: TimeInterval = 0) throws
    -> CachedResponse.Record
  {
    CachedResponse.Record(
      head: ResponseHead(status: .init(code: status), headers: headers),
      url: try Request("https://example.com/").url, requestTime: CacheRig.start - delay,
      responseTime: CacheRig.start)
  }

  private func freshness(
    _ headers: HTTPFields, after seconds: TimeInterval = 0, _ mode: CacheOptions.Mode = .private
  ) throws -> Freshness {
    var options = CacheOptions()
    options.mode = mode
    return Freshness(of: try record(headers), options, at: CacheRig.start + seconds)
  }

  @Test func `no age and no remaining time is larger than 2³¹ (RFC 9111 §1.2.2)`() throws {
    let centuries: TimeInterval = 7_000_000_000
    let freshness = try freshness([.cacheControl: "max-age=60"], after: centuries)
    #expect(freshness.timeToLive == -2_147_483_648)
    #expect(freshness.ageField == "2147483648")
    let end: HTTPFields = [.expires: "Fri, 31 Dec 9999 23:59:59 GMT", .date: Self.sent]
    #expect(try self.freshness(end).timeToLive == 2_147_483_648)
  }

  @Test(
    .covers(
      "9111-1.2.2-a", "9111-4.2.1-a", "9111-4.2.1-b", "9111-4.2.1-d", "9111-5.3-a", "9111-5.3-b"),
    arguments: [
      ([.cacheControl: "max-age=60"], 60),
      ([.cacheControl: "max-age=\"60\""], 60),
      ([.cacheControl: "MAX-AGE=60"], 60),
      // §4.2.1: an invalid number means stale, and of two the first counts.
      ([.cacheControl: "max-age=soon"], 0),
      ([.cacheControl: "max-age=-1"], 0),
      ([.cacheControl: "max-age"], 0),
      ([.cacheControl: "max-age=60, max-age=6000"], 60),
      // §1.2.2: a larger number is 2³¹.
      ([.cacheControl: "max-age=99999999999999999999"], 2_147_483_648),
      // §5.2.2.10: for a cache of one user, `s-maxage` has no meaning.
      ([.cacheControl: "s-maxage=600, max-age=60"], 60),
      ([.cacheControl: "s-maxage=600"], 0),
      ([.expires: minuteLater, .date: sent], 60),
      ([.expires: sent, .date: sent], 0),
      // §5.3: an invalid date, above all 0, is in the past.
      ([.expires: "0"], -4.6e18),
      ([.expires: "Mon, 99 Foo 1994 08:49:37 GMT", .date: sent], -4.6e18),
      // §5.3: `max-age` has precedence.
      ([.cacheControl: "max-age=60", .expires: "0"], 60),
      // §4.2.2: a tenth of the time since the last change, at most a day.
      ([.lastModified: "Sun, 06 Nov 1994 08:39:37 GMT", .date: sent], 60),
      ([.lastModified: "Sun, 06 Nov 1994 08:39:37 GMT"], 60),
      ([.lastModified: tenDaysEarlier, .date: sent], 86_400),
      ([.lastModified: minuteLater, .date: sent], 0),
      ([.lastModified: "yesterday", .date: sent], 0),
      ([:], 0),
    ] as [(HTTPFields, TimeInterval)])
  func `the server says how long a response is fresh (§4·2·1, §4·2·2)`(
    headers: HTTPFields, lifetime: TimeInterval
  ) throws {
    let found = try freshness(headers).lifetime
    #expect(abs(found - lifetime) <= abs(lifetime) / 100)
  }

  @Test(.covers("9111-4.2.1-a", "9111-5.2.2.10-a"))
  func `a cache for several users has a lifetime of its own (§5·2·2·10)`() throws {
    #expect(try freshness([.cacheControl: "s-maxage=600, max-age=60"], .shared).lifetime == 600)
  }

  @Test(arguments: [(200, 60), (404, 60), (302, 0), (500, 0)])
  func `no lifetime is guessed for a status that needs one (§4·2·2)`(
    status: Int, lifetime: TimeInterval
  ) throws {
    let headers: HTTPFields = [
      .lastModified: "Sun, 06 Nov 1994 08:39:37 GMT", .date: Self.sent,
    ]
    let record = try record(headers, status: status)
    #expect(Freshness(of: record, CacheOptions(), at: CacheRig.start).lifetime == lifetime)
  }

  @Test(
    .covers("9111-1.2.2-a", "9111-4.2.3-a", "9111-4.2.3-b", "9111-5.1-a", "9111-5.1-b"),
    arguments: [
      ([:], 0, 30, 30),
      ([.age: "50"], 0, 5, 55),
      ([.age: "50"], 7, 5, 62),
      // §5.1: an invalid age is ignored, and of several the first counts.
      ([.age: "-50"], 0, 61, 61),
      ([.age: "1, 2"], 0, 61, 62),
      ([.age: "99999999999999999999"], 0, 0, 2_147_483_648),
      // The clock of the server is a minute behind, or the response took a minute.
      ([.date: "Sun, 06 Nov 1994 08:48:37 GMT"], 0, 0, 60),
      ([.date: "Sun, 06 Nov 1994 08:48:37 GMT", .age: "50"], 0, 0, 60),
      ([.date: minuteLater], 0, 10, 10),
      ([.date: "Sun, 06 Nov 94"], 0, 10, 10),
      // A clock that has moved back says nothing about the age.
      ([:], 0, -3600, .infinity),
    ] as [(HTTPFields, TimeInterval, TimeInterval, TimeInterval)])
  func `the age counts from when the server has made the response (§4·2·3)`(
    headers: HTTPFields, delay: TimeInterval, seconds: TimeInterval, age: TimeInterval
  ) throws {
    let record = try record(headers, delay: delay)
    #expect(Freshness(of: record, CacheOptions(), at: CacheRig.start + seconds).age == age)
  }

  @Test(.covers("9111-4.2-a"))
  func `a response is stale when its age reaches its lifetime (§4·2)`() throws {
    #expect(try freshness([.cacheControl: "max-age=60"], after: 59).isFresh)
    #expect(try !freshness([.cacheControl: "max-age=60"], after: 60).isFresh)
    #expect(try !freshness([.cacheControl: "max-age=60"], after: -3600).isFresh)
    #expect(try freshness([.cacheControl: "max-age=60"], after: -3600).timeToLive == -0x8000_0000)
    #expect(try freshness([.cacheControl: "max-age=60"], after: 3).ageField == "3")
  }

  @Test(
    .covers("9111-4.2.4-a", "9111-5.2.2.2-a", "9111-5.2.2.8-a", "9111-5.2.2.10-b"),
    arguments: [
      ("must-revalidate", true, true), ("no-cache", true, true), ("proxy-revalidate", false, true),
      ("s-maxage=1", false, true), ("public", false, false),
    ])
  func `the server may forbid that a response is used when it is stale (§4·2·4)`(
    directive: String, isForbidden: Bool, isForbiddenIfShared: Bool
  ) throws {
    let headers: HTTPFields = [.cacheControl: "\(directive), stale-while-revalidate=600"]
    for (mode, isForbidden) in [
      (CacheOptions.Mode.private, isForbidden), (.shared, isForbiddenIfShared),
    ] {
      let freshness = try freshness(headers, after: 5, mode)
      #expect(freshness.forbidsStale == isForbidden)
      #expect(freshness.mayBeUsedWhileRevalidating == !isForbidden)
      #expect(freshness.mayBeUsedAfterError(accepting: 600) == !isForbidden)
    }
  }

  @Test(
    .covers("5861-3-a", "5861-3-e", "5861-4-c"),
    arguments: [(69, true), (70, true), (71, false)])
  func `the staleness that is accepted has a limit (RFC 5861 §3, §4)`(
    seconds: TimeInterval, isAccepted: Bool
  ) throws {
    let during: HTTPFields = [.cacheControl: "max-age=60, stale-while-revalidate=10"]
    let after: HTTPFields = [.cacheControl: "max-age=60, stale-if-error=10"]
    #expect(try freshness(during, after: seconds).mayBeUsedWhileRevalidating == isAccepted)
    #expect(
      try freshness(after, after: seconds).mayBeUsedAfterError(accepting: 0) == isAccepted)
    #expect(
      try freshness([.cacheControl: "max-age=60"], after: seconds).mayBeUsedAfterError(
        accepting: 10)
        == isAccepted)
  }

  @Test func `a response is immutable while it is fresh (RFC 8246 §2)`() throws {
    let immutable: HTTPFields = [.cacheControl: "max-age=60, immutable", .contentLength: "1"]
    #expect(try freshness(immutable, after: 59).isImmutable)
    #expect(try !freshness(immutable, after: 60).isImmutable)
    #expect(try !freshness([.cacheControl: "max-age=60", .contentLength: "1"]).isImmutable)
  }

  @Test(arguments: [(-1, 0), (0, 0), (1, 600), (7, 600)])
  func `a guessed lifetime is at most the time since the last change (§4·2·2)`(
    fraction: Int, seconds: Int
  ) throws {
    var options = CacheOptions()
    options.heuristicFraction = Double(fraction)
    let record = try record([.lastModified: "Sun, 06 Nov 1994 08:39:37 GMT", .date: Self.sent])
    #expect(
      Freshness(of: record, options, at: CacheRig.start).lifetime == TimeInterval(seconds))
  }
}

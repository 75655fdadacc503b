import EssentialFoundation
import Foundation
import HTTPTypes
import MartletCore
import SpecificationCoverage
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Dates from which a lifetime is calculated, and lifetimes that are guessed (RFC 9111 §4.2).
struct ExpirationTests {
  private static let sent = "Sun, 06 Nov 1994 08:49:37 GMT"
  private static let tenMinutesEarlier = "Sun, 06 Nov 1994 08:39:37 GMT"

  private func lifetime(_ headers: HTTPFields, status: Int = 200) throws -> TimeInterval {
    let record = CachedResponse.Record(
      head: ResponseHead(status: .init(code: status), headers: headers),
      url: try Request("http://h/").url, requestTime: CacheRig.start, responseTime: CacheRig.start)
    return Freshness(of: record, CacheOptions(), at: CacheRig.start).lifetime
  }

  @Test(
    .covers("9111-4.2-b"),
    arguments: [
      "sun, 06 nov 1994 08:50:37 gmt", "SUN, 06 NOV 1994 08:50:37 GMT",
      "sunday, 06-nov-94 08:50:37 gmt", "sun nov  6 08:50:37 1994",
    ])
  func `dates are read in upper and in lower case (§4·2)`(date: String) throws {
    #expect(try lifetime([.expires: date, .date: Self.sent]) == 60)
  }

  /// The clock of the rig is a number of seconds since 1970. A local time zone would change the difference.
  @Test(.covers("9111-4.2-d"))
  func `dates are in GMT, whatever the local time zone is (§4·2)`() throws {
    #expect(try lifetime([.expires: "Sun, 06 Nov 1994 08:50:37 GMT"]) == 60)
    #expect(try lifetime([.expires: "Sun Nov  6 08:50:37 1994"]) == 60)
    #expect(CacheRig.start.timeIntervalSince1970 == 784_111_777)
  }

  @Test(
    .covers("9111-4.2-e", "9111-5.3-a"),
    arguments: [
      "Sun, 06 Nov 1994 08:50:37 UTC", "Sun, 06 Nov 1994 09:50:37 AEST",
      "Sun, 06 Nov 1994 09:50:37 +0100", "Sunday, 06-Nov-94 08:50:37 EST",
    ])
  func `a date of another time zone is invalid, and in the past (§4·2, §5·3)`(date: String) throws {
    #expect(try lifetime([.expires: date, .date: Self.sent]) < 0)
  }

  @Test(
    .covers("9111-4.2.2-a"),
    arguments: [
      [.cacheControl: "max-age=0"], [.cacheControl: "max-age=soon"], [.expires: "0"],
      [.expires: tenMinutesEarlier],
    ] as [HTTPFields])
  func `no lifetime is guessed where the server gives one (§4·2·2)`(explicit: HTTPFields) throws {
    var headers = explicit
    headers[.lastModified] = Self.tenMinutesEarlier
    #expect(try lifetime(headers) <= 0)
    #expect(try lifetime([.lastModified: Self.tenMinutesEarlier]) == 60)
  }

  @Test(.covers("9111-4.2.2-b"), arguments: [200, 302, 500])
  func `with public, a lifetime is guessed for each status (§4·2·2, §5·2·2·9)`(status: Int) throws {
    let headers: HTTPFields = [.lastModified: Self.tenMinutesEarlier]
    var allowed = headers
    allowed[.cacheControl] = "public"
    #expect(try lifetime(allowed, status: status) == 60)
    #expect(try lifetime(headers, status: status) == (status == 200 ? 60 : 0))
  }

  @Test(
    .covers("9111-5.1-a"),
    arguments: [["5, 7"], ["5", "7"], [" 5 ,x"], [",5"]])
  func `of several ages the first one counts (§5·1)`(lines: [String]) {
    let fields = HTTPFields(lines.map { HTTPField(name: .age, value: $0) })
    #expect(CacheMetadata(ResponseHead(status: .ok, headers: fields)).age == 5)
  }

  @Test(
    .covers("9111-5.1-b"),
    arguments: [["x"], ["-5"], ["5.5"], [""], ["x", "7"], ["x, 7"]])
  func `an age that is not a number is ignored (§5·1)`(lines: [String]) {
    let fields = HTTPFields(lines.map { HTTPField(name: .age, value: $0) })
    #expect(CacheMetadata(ResponseHead(status: .ok, headers: fields)).age == 0)
  }
}

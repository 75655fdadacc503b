import Foundation
import HTTPTypes
import MartletCore
import Testing

@testable import MartletEssentials

/// How long a stored response can be of use.
@Suite(.timeLimit(.minutes(5)))
struct UsefulLifetimeTests {
  private static let now = Date(timeIntervalSince1970: 784_111_777)

  private func lifetime(
    _ control: String?, _ others: HTTPFields = [:], age: TimeInterval = 0,
    retention: TimeInterval = 1000
  ) -> TimeInterval {
    var headers = others
    headers[.cacheControl] = control
    let time = Self.now - age
    let record = CachedResponse.Record(
      head: ResponseHead(status: .ok, headers: headers), url: URL(fileURLWithPath: "/"),
      requestTime: time, responseTime: time)
    return record.usefulLifetime(retention: retention, at: Self.now)
  }

  @Test func `a response without a validator is of use while it is fresh (RFC 9111 §4.2)`() {
    #expect(lifetime("max-age=60") == 60)
    #expect(lifetime("max-age=60", age: 20) == 40)
    #expect(lifetime("max-age=60", age: 90) == 0)
    #expect(lifetime("max-age=60, s-maxage=600") == 600)
    #expect(lifetime("max-age=600, s-maxage=60") == 600)
    #expect(lifetime("no-cache, max-age=60") == 0)
    #expect(lifetime(nil) == 0)
  }

  @Test func `it is of use while the server allows that it is stale (RFC 5861)`() {
    #expect(lifetime("max-age=60, stale-while-revalidate=30") == 90)
    #expect(lifetime("max-age=60, stale-while-revalidate=30, stale-if-error=300") == 360)
    #expect(lifetime("max-age=60, stale-if-error=300", age: 100) == 260)
    #expect(lifetime("max-age=60, stale-if-error=300, must-revalidate") == 60)
  }

  @Test func `a response with a validator is kept longer (RFC 9111 §4.3.1)`() {
    #expect(lifetime("max-age=60", [.eTag: "\"1\""]) == 1060)
    #expect(lifetime("max-age=60", [.eTag: "\"1\""], age: 5000) == 1000)
    #expect(lifetime("no-cache", [.eTag: "\"1\""]) == 1000)
    #expect(lifetime("no-cache", [.eTag: "\"1\""], retention: -1) == 0)
  }

  @Test func `a heuristic lifetime counts (RFC 9111 §4.2.2)`() {
    // 1000 seconds before the response.
    let fields: HTTPFields = [.lastModified: "Sun, 06 Nov 1994 08:32:57 GMT"]
    #expect(lifetime(nil, fields) == 1100)
  }

  @Test func `a clock that was set back makes it stale`() {
    #expect(lifetime("max-age=60", age: -3600) == 0)
    #expect(lifetime("max-age=60", age: -1) == 0)
    // Clocks are not more exact.
    #expect(lifetime("max-age=60", age: -0.5) == 60)
    #expect(lifetime("max-age=60", [.eTag: "\"1\""], age: -3600) == 1000)
  }
}

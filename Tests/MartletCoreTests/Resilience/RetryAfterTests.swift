import EssentialFoundation
import HTTPTypes
import Testing

@testable import MartletCore

/// How long a server requires its clients to wait (RFC 9110 §10.2.3).
struct RetryAfterTests {
  private let now = Date(timeIntervalSince1970: 784_111_777)  // Sun, 06 Nov 1994 08:49:37 GMT

  private func delay(_ field: String, date: String? = nil) -> Duration? {
    var headers: HTTPFields = [.retryAfter: field]
    headers[.date] = date
    return RetryAfter.delay(headers, at: now)
  }

  @Test func `a number is a number of seconds`() {
    #expect(delay("120") == .seconds(120))
    #expect(delay(" 0 ") == .zero)
  }

  @Test func `a date is compared with the date of the response`() {
    let end = "Sun, 06 Nov 1994 08:50:37 GMT"
    #expect(delay(end) == .seconds(60))
    #expect(delay(end, date: "Sun, 06 Nov 1994 08:50:07 GMT") == .seconds(30))
    #expect(delay(end, date: "yesterday") == .seconds(60))
  }

  @Test func `a date in the past is no wait`() {
    #expect(delay("Sun, 06 Nov 1994 08:49:36 GMT") == .zero)
  }

  @Test func `a thousand years, and more digits than a number has, are a long wait`() {
    #expect(delay("31557600000") == .seconds(31_557_600_000))
    #expect(delay(String(repeating: "9", count: 400)) ?? .zero > .seconds(31_557_600_000))
    #expect(delay("Tue, 06 Nov 2994 08:49:37 GMT") ?? .zero > .seconds(31_000_000_000))
  }

  @Test(arguments: ["-1", "1.5", "soon", "", "1 2", "1, 2", "٣", "0x10", "+5"])
  func `nonsense is ignored`(field: String) {
    #expect(delay(field) == nil)
  }

  @Test func `without the field there is no wait`() {
    #expect(RetryAfter.delay([:], at: now) == nil)
  }
}

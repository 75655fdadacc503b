import Foundation
import Testing

@testable import Martlet
@testable import MartletEssentials

/// Dates in every form that servers have come up with (RFC 6265bis §5.1.1).
struct CookieDateTests {
  @Test(arguments: CookieDateTests.dates)
  func `a date is whatever has the parts of one`(text: String, expected: String?) {
    let date = CookieDate.date(text[...].utf8)
    #expect(date?.formatted(.iso8601) == expected)
  }

  private static let dates: [(String, String?)] = [
    ("Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"),
    ("Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37Z"),
    ("Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37Z"),
    ("Sun, 6 Nov 1994 8:9:7", "1994-11-06T08:09:07Z"),
    ("6 nov 1994 08:49:37", "1994-11-06T08:49:37Z"),
    ("1994 nov 6 08:49:37", "1994-11-06T08:49:37Z"),
    ("08:49:37 6 Nov 1994", "1994-11-06T08:49:37Z"),
    ("Nov 6 1994 08:49:37", "1994-11-06T08:49:37Z"),
    ("06/Nov/1994 08:49:37", "1994-11-06T08:49:37Z"),
    ("Sun-06-Nov-1994-08:49:37-GMT", "1994-11-06T08:49:37Z"),
    ("\"Sun, 06 Nov 1994 08:49:37 GMT\"", "1994-11-06T08:49:37Z"),
    ("Sun, 06 November 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"),
    ("Sun, 06 NOVEMBER 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"),
    ("Sun, 06 Nov 1994 08:49:37 +0500", "1994-11-06T08:49:37Z"),
    ("Sun, 06th Nov 1994 08:49:37", "1994-11-06T08:49:37Z"),
    ("Sun, 06 Nov 1994AD 08:49:37", "1994-11-06T08:49:37Z"),
    ("Sun, 06 Nov 1994 08:49:37Z", "1994-11-06T08:49:37Z"),
    ("Sun, 06 Nov 1994 08:49:37.5 GMT", "1994-11-06T08:49:37Z"),
    ("Sun, 06 Nov 1994 08:49:37:12 GMT", "1994-11-06T08:49:37Z"),
    ("Sun, 06 Nov 1994 08:49:37 10:11:12", "1994-11-06T08:49:37Z"),
    ("06 07 Nov 1994 08:49:37", "2007-11-06T08:49:37Z"),
    ("06 Nov Dec 1994 08:49:37", "1994-11-06T08:49:37Z"),
    ("06 Nov 94 1995 08:49:37", "1994-11-06T08:49:37Z"),
    ("6 Nov 70 00:00:00", "1970-11-06T00:00:00Z"),
    ("6 Nov 69 00:00:00", "2069-11-06T00:00:00Z"),
    ("6 Nov 00 00:00:00", "2000-11-06T00:00:00Z"),
    ("6 Nov 99 00:00:00", "1999-11-06T00:00:00Z"),
    ("6 Nov 100 00:00:00", nil),
    ("6 Nov 1600 00:00:00", nil),
    ("6 Nov 1601 00:00:00", "1601-11-06T00:00:00Z"),
    ("31 Dec 9999 23:59:59", "9999-12-31T23:59:59Z"),
    ("6 Nov 10000 00:00:00", nil),
    ("6 Nov 4 00:00:00", nil),
    ("0 Nov 1994 00:00:00", nil),
    ("31 Oct 1994 00:00:00", "1994-10-31T00:00:00Z"),
    ("31 Nov 1994 00:00:00", nil),
    ("32 Oct 1994 00:00:00", nil),
    ("29 Feb 2000 00:00:00", "2000-02-29T00:00:00Z"),
    ("29 Feb 1900 00:00:00", nil),
    ("29 Feb 2024 00:00:00", "2024-02-29T00:00:00Z"),
    ("29 Feb 2023 00:00:00", nil),
    ("6 Nov 1994 24:00:00", nil),
    ("6 Nov 1994 23:60:00", nil),
    ("6 Nov 1994 23:59:60", nil),
    ("6 Nov 1994 23:59", nil),
    ("6 Nov 1994 23:59:", nil),
    ("6 Nov 1994 123:59:00", nil),
    ("6 Nov 1994 :59:00", nil),
    ("6 Nov 1994 25:00:00 10:00:00", nil),
    ("6 Nov 1994", nil),
    ("Nov 1994 10:00:00", nil),
    ("6 1994 10:00:00", nil),
    ("6 Nov 10:00:00", nil),
    ("6 No 1994 10:00:00", nil),
    ("6 11 1994 10:00:00", nil),
    ("1994-11-06T08:49:37Z", nil),
    ("784111777", nil),
    ("0", nil),
    ("", nil),
    ("GMT", nil),
    ("6 Nov 1994 10:00:00 ä", "1994-11-06T10:00:00Z"),
    ("6ä Novä 1994ä 10:00:00ä", "1994-11-06T10:00:00Z"),
    ("ä6 Nov 1994 10:00:00", nil),
  ]

  @Test func `days of months are those of the calendar`() {
    for (month, name) in ["Jan", "Mar", "May", "Jul", "Aug", "Oct", "Dec"].enumerated() {
      #expect(CookieDate.date("31 \(name) 2023 00:00:00"[...].utf8) != nil, "\(month)")
      #expect(CookieDate.date("32 \(name) 2023 00:00:00"[...].utf8) == nil)
    }
    for name in ["Apr", "Jun", "Sep", "Nov"] {
      #expect(CookieDate.date("30 \(name) 2023 00:00:00"[...].utf8) != nil)
      #expect(CookieDate.date("31 \(name) 2023 00:00:00"[...].utf8) == nil)
    }
  }
}

import MartletCore
import Testing

/// Dates in header fields (RFC 9110 §5.6.7).
struct HTTPDateTests {
  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
  ])
  func `dates have three forms`(text: String) {
    #expect(HTTPDate.seconds(of: text) == 784_111_777)
  }

  @Test(arguments: [
    "", "0", "-1", "now", "Sun, 06 Nov 1994", "Sun, 32 Nov 1994 08:49:37 GMT", "08:49:37",
    "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT", "6 Nov 199 08:49:37",
    "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
    "Sun, 31 Feb 2020 08:49:37 GMT", "Sun, 29 Feb 1900 08:49:37 GMT",
    "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
  ])
  func `what is no date is none`(text: String) {
    #expect(HTTPDate.seconds(of: text) == nil)
  }

  @Test(arguments: [
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
    (1_582_964_625, "Sat, 29 Feb 2020 08:23:45 GMT"),
    (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
  ])
  func `leap years are distinguished`(seconds: Int64, text: String) {
    #expect(HTTPDate.seconds(of: text) == seconds)
  }

  @Test(arguments: [("69", 2069), ("70", 1970), ("94", 1994), ("00", 2000)])
  func `a year of two digits is never far in the future`(digits: String, year: Int) {
    let seconds = HTTPDate.seconds(of: "Sunday, 06-Nov-\(digits) 08:49:37 GMT")
    #expect(seconds != nil)
    #expect(seconds == HTTPDate.seconds(of: "Sun, 06 Nov \(year) 08:49:37 GMT"))
  }
}

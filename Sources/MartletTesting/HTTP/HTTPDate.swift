import Foundation

/// Dates as HTTP writes them (RFC 9110 §5.6.7).
enum HTTPDate {
  /// The time now, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  static var now: String { text(of: Date()) }

  static func text(of date: Date) -> String {
    var seconds = time_t(date.timeIntervalSince1970)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(twoDigits).joined(separator: ":")
    let day = twoDigits(parts.tm_mday)
    let year = Int(parts.tm_year) + 1900
    return
      "\(days[Int(parts.tm_wday) % 7]), \(day) \(months[Int(parts.tm_mon) % 12]) \(year) \(clock) GMT"
  }

  private static func twoDigits(_ number: Int32) -> String {
    number < 10 ? "0\(number)" : String(number)
  }

  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}

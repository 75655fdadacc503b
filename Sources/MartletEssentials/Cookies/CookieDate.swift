import EssentialFoundation
import MartletCore

/// The dates of cookies: a day, a month, a year and a time, in any order (RFC 6265bis §5.1.1).
enum CookieDate {
  /// Returns the date of a text; `nil` when the text is not a date.
  static func date(_ text: Substring.UTF8View) -> Date? {
    var time: Int?
    var day: Int?
    var month: Int?
    var year: Int?
    for token in text.split(whereSeparator: \.isDateDelimiter) {
      // Each token is read as the first of these parts that is still missing and has the form of the token.
      if time == nil, let found = token.time {
        // An invalid time makes the whole date invalid.
        guard let seconds = found.secondsOfDay else { return nil }
        time = seconds
      } else if day == nil, let found = token.number(of: 1...2) {
        day = found
      } else if month == nil, let found = token.month {
        month = found
      } else if year == nil, let found = token.number(of: 2...4) {
        year = found
      }
    }
    guard let time, let day, let month, let year = year.map(whole), year >= 1601,
      day >= 1, day <= HTTPDate.days(inMonth: month, of: year)
    else { return nil }
    let seconds = HTTPDate.daysSince1970(year, month, day) * 86_400 + time
    return Date(timeIntervalSince1970: TimeInterval(seconds))
  }

  /// Returns the full year: 70 to 99 mean the 20th century, and 0 to 69 the 21st.
  private static func whole(_ year: Int) -> Int {
    switch year {
    case 0...69: 2000 + year
    case 70...99: 1900 + year
    default: year
    }
  }
}

/// Hour, minute and second, each of one or two digits.
private struct TimeFields {
  var hour: Int
  var minute: Int
  var second: Int

  var secondsOfDay: Int? {
    guard hour <= 23, minute <= 59, second <= 59 else { return nil }
    return hour * 3600 + minute * 60 + second
  }
}

extension Substring.UTF8View {
  /// Returns the number at the beginning; `nil` if its count of digits is not in the range.
  fileprivate func number(of digits: ClosedRange<Int>) -> Int? {
    let front = prefix(digits.upperBound + 1).prefix { $0.isDigit }
    guard digits.contains(front.count) else { return nil }
    return front.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  fileprivate var month: Int? {
    let letters = prefix(3).map { $0 | 0x20 }
    return Self.months.firstIndex(of: letters).map { $0 + 1 }
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ].map { Array($0.utf8) }

  fileprivate var time: TimeFields? {
    let parts = split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].count <= 2, parts[1].count <= 2,
      parts[0].allSatisfy(\.isDigit), parts[1].allSatisfy(\.isDigit),
      let hour = parts[0].number(of: 1...2), let minute = parts[1].number(of: 1...2),
      let second = parts[2].number(of: 1...2)
    else { return nil }
    return TimeFields(hour: hour, minute: minute, second: second)
  }
}

extension UInt8 {
  /// Whether it separates tokens: a tab, or any printable ASCII character except letters, digits and the colon.
  fileprivate var isDateDelimiter: Bool {
    switch self {
    case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }
}

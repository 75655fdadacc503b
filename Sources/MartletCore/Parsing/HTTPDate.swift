/// Dates in header fields, in the three forms that a recipient accepts (RFC 9110 §5.6.7).
///
///     Sun, 06 Nov 1994 08:49:37 GMT
///     Sunday, 06-Nov-94 08:49:37 GMT
///     Sun Nov  6 08:49:37 1994
///
/// The forms have the same parts, which are recognized by their format at any position.
package enum HTTPDate {
  /// Parses a date and returns the seconds since 1970; returns `nil` if the text is not a date.
  package static func seconds(of text: String) -> Int64? {
    var text = text
    return text.withUTF8 { secondsOfFixedForm($0) } ?? secondsOfAnyForm(text)
  }

  /// Parses the first form with two digits for the day, which nearly all servers send; returns `nil` for all others.
  private static func secondsOfFixedForm(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
    func number(at index: Int) -> Int? {
      guard bytes[index].isDigit, bytes[index + 1].isDigit else { return nil }
      return Int(bytes[index] & 15) * 10 + Int(bytes[index + 1] & 15)
    }
    guard bytes.count == 29, bytes[3] == UInt8(ascii: ","), bytes[16] == UInt8(ascii: " "),
      bytes[19] == UInt8(ascii: ":"), bytes[22] == UInt8(ascii: ":"),
      bytes[25...].elementsEqual(" GMT".utf8),
      let day = number(at: 5), let century = number(at: 12), let yearOfCentury = number(at: 14),
      let hour = number(at: 17), let minute = number(at: 20), let second = number(at: 23),
      hour <= 23, minute <= 59, second <= 60,
      let month = monthsInBytes.firstIndex(where: { $0.elementsEqual(bytes[8..<11]) })
    else { return nil }
    let year = century * 100 + yearOfCentury
    guard day >= 1, day <= days(inMonth: month + 1, of: year) else { return nil }
    let time = hour * 3600 + minute * 60 + second
    return Int64(daysSince1970(year, month + 1, day)) * 86_400 + Int64(time)
  }

  private static let monthsInBytes = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ].map { Array($0.utf8) }

  private static func secondsOfAnyForm(_ text: String) -> Int64? {
    var day: Int?
    var month: Int?
    var year: Int?
    var time: Int?
    for part in text.split(whereSeparator: { " ,-".contains($0) }) {
      if part.contains(":") {
        time = time ?? secondsOfDay(part)
      } else if let index = months.firstIndex(of: part.prefix(3).lowercased()) {
        month = month ?? index + 1
      } else if let number = number(part) {
        if part.count <= 2, day == nil {
          day = number
        } else {
          year = year ?? fullYear(number, part.count)
        }
      } else if time != nil, part.lowercased() != "gmt" {
        // Another time zone (RFC 9111 §4.2).
        return nil
      }
    }
    guard let day, let month, let year, let time, day >= 1, day <= days(inMonth: month, of: year)
    else { return nil }
    return Int64(daysSince1970(year, month, day)) * 86_400 + Int64(time)
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  private static func number(_ digits: Substring) -> Int? {
    digits.utf8.allSatisfy(\.isDigit) ? Int(digits) : nil
  }

  private static func secondsOfDay(_ time: Substring) -> Int? {
    let parts = time.split(separator: ":").map { number($0) ?? -1 }
    guard parts.count == 3, (0...23).contains(parts[0]), (0...59).contains(parts[1]),
      (0...60).contains(parts[2])
    else { return nil }
    return parts[0] * 3600 + parts[1] * 60 + parts[2]
  }

  /// Returns the full year. Years of two digits from 70 on belong to the 20th century: servers write the first second of
  /// 1970 for what has expired. So no date is more than 50 years in the future (RFC 9110 §5.6.7).
  private static func fullYear(_ year: Int, _ digits: Int) -> Int? {
    switch digits {
    case 2: year >= 70 ? 1900 + year : 2000 + year
    case 4: year
    default: nil
    }
  }

  /// Returns the number of days in a month of a year; the months count from 1.
  package static func days(inMonth month: Int, of year: Int) -> Int {
    let next = month == 12 ? (year + 1, 1) : (year, month + 1)
    return daysSince1970(next.0, next.1, 1) - daysSince1970(year, month, 1)
  }

  /// Returns the number of days since 1970. It counts years from March, so that the leap day is the last day.
  package static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month > 2 ? year : year - 1
    let (era, yearOfEra) = (year / 400, year % 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

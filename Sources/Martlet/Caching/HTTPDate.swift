import Foundation

/// Dates in header fields, in the three forms that a recipient accepts (RFC 9110 §5.6.7).
///
///     Sun, 06 Nov 1994 08:49:37 GMT
///     Sunday, 06-Nov-94 08:49:37 GMT
///     Sun Nov  6 08:49:37 1994
///
/// They have the same parts, which are found by what they look like, wherever they stand.
enum HTTPDate {
  /// The date that a text stands for, or `nil` when it is none.
  static func date(_ text: String) -> Date? {
    var day: Int?
    var month: Int?
    var year: Int?
    var time: Int?
    for part in text.split(whereSeparator: { " ,-".contains($0) }) {
      if part.contains(":") {
        time = time ?? seconds(part)
      } else if let index = months.firstIndex(of: part.prefix(3).lowercased()) {
        month = month ?? index + 1
      } else if let number = Int(part), number >= 0 {
        if part.count <= 2, day == nil {
          day = number
        } else {
          year = year ?? whole(number, part.count)
        }
      }
    }
    guard let day, let month, let year, let time, (1...31).contains(day) else { return nil }
    let days = daysSince1970(year, month, day)
    return Date(timeIntervalSince1970: TimeInterval(days * 86_400 + time))
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  private static func seconds(_ time: Substring) -> Int? {
    let parts = time.split(separator: ":").map { Int($0) ?? -1 }
    guard parts.count == 3, (0...23).contains(parts[0]), (0...59).contains(parts[1]),
      (0...60).contains(parts[2])
    else { return nil }
    return parts[0] * 3600 + parts[1] * 60 + parts[2]
  }

  /// Of two digits, those from 70 on are of the last century.
  private static func whole(_ year: Int, _ digits: Int) -> Int? {
    switch digits {
    case 2: year >= 70 ? 1900 + year : 2000 + year
    case 4: year
    default: nil
    }
  }

  /// Counted in years that begin in March, so that the leap day comes last.
  private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month > 2 ? year : year - 1
    let (era, yearOfEra) = (year / 400, year % 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

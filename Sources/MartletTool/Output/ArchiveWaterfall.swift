import EssentialFoundation
import MartletCore
import MartletHAR

/// The entries of an archive as lines, with a bar for the time of each.
///
///     GET   302    231 B     4.1 ms  ▕██         ▏  http://localhost/a
///     GET   200   1.2 kB    12.9 ms  ▕  █████████▏  http://localhost/b
struct ArchiveWaterfall {
  /// An entry with its place in time, in milliseconds from the first.
  private struct Row {
    let entry: HTTPArchive.Entry
    let start: Double
    let duration: Double
  }

  /// The longest time of an entry. An archive of another program may have any number.
  private static let longestTime = 1e12

  private let rows: [Row]
  /// The time from the begin of the first entry to the end of the last, in milliseconds.
  private let total: Double

  init(_ archive: HTTPArchive) {
    let dates = archive.log.entries.map { Self.seconds(of: $0.startedDateTime) }
    let first = dates.compactMap(\.self).min() ?? 0
    rows = zip(archive.log.entries, dates).map { entry, date in
      Row(
        entry: entry, start: Self.bounded(((date ?? first) - first) * 1000),
        duration: Self.bounded(entry.time))
    }
    total = rows.map { $0.start + $0.duration }.max() ?? 0
  }

  /// A line for each entry, and one for all.
  ///
  /// - Parameter width: How many columns there are for a line with its bar. The URL follows behind the bar, whatever its length.
  /// - Returns: The lines.
  func lines(width: Int) -> [String] {
    let room = min(max(width - 60, 10), 40)
    return rows.map { line($0, room) } + [summary]
  }

  private func line(_ row: Row, _ room: Int) -> String {
    let (entry, response) = (row.entry, row.entry.response)
    let columns = [
      entry.request.method.escapingControlCharacters.padded(to: 5),
      (response.status == 0 ? "–" : "\(response.status)").padded(to: 3),
      ByteCount.text(max(response.content.size, 0)).padded(to: 7, atFront: true),
      row.duration.text(digits: 1).padded(to: 9, atFront: true) + " ms",
      bar(row, room), entry.request.url.escapingControlCharacters,
    ]
    let note = response.status == 0 ? entry.comment : nil
    return columns.joined(separator: "  ")
      + (note.map { "  (\($0.escapingControlCharacters))" } ?? "")
  }

  private func bar(_ row: Row, _ room: Int) -> String {
    let scale = total > 0 ? Double(room) / total : 0
    let start = min(Int(min(row.start * scale, Double(room))), room - 1)
    let end = Int(min(((row.start + row.duration) * scale).rounded(.up), Double(room)))
    let length = max(end - start, 1)
    return "▕" + String(repeating: " ", count: start) + String(repeating: "█", count: length)
      + String(repeating: " ", count: room - start - length) + "▏"
  }

  private var summary: String {
    let bytes = rows.reduce(Int64(0)) { sum, row in
      let (next, isTooLarge) = sum.addingReportingOverflow(max(row.entry.response.content.size, 0))
      return isTooLarge ? .max : next
    }
    let requests = rows.count == 1 ? "1 request" : "\(rows.count) requests"
    return "\(requests), \(ByteCount.text(bytes)), \(total.text(digits: 1)) ms"
  }

  private static func bounded(_ milliseconds: Double) -> Double {
    milliseconds.isFinite ? min(max(milliseconds, 0), longestTime) : 0
  }

  /// The time of a date in the form of ISO 8601, with or without fractions of a second.
  private static func seconds(of text: String) -> Double? {
    let forms = [true, false].map { Date.ISO8601FormatStyle(includingFractionalSeconds: $0) }
    return forms.lazy.compactMap { try? $0.parse(text) }.first?.timeIntervalSinceReferenceDate
  }
}

import EssentialFoundation
import MartletEssentials

/// A download's progress as one line of a terminal.
///
///     ` 42 % ▕██████████              ▏ 4.2 MB of 10 MB · 3.1 MB/s · 2 s left`
struct ProgressBar {
  /// The maximum number of columns to use.
  var width: Int

  /// The shortest bar that is shown, in columns.
  private static let shortest = 8
  /// The shortest time over which a rate is measured.
  private static let leastElapsed = Duration.milliseconds(200)
  private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  /// The line, at most `width` columns long. Without a total there is no percentage and no bar.
  func line(_ progress: TransferProgress) -> String {
    let details = details(progress)
    guard progress.total != nil else { return String(details.prefix(width)) }
    // Rounded down: only a complete download shows 100 %.
    let percent = "\(Int(progress.fractionCompleted * 100))".padded(to: 3, atFront: true) + " %"
    let room = width - percent.count - details.count - 4
    guard room >= Self.shortest else { return String("\(percent) \(details)".prefix(width)) }
    return "\(percent) ▕\(bar(progress.fractionCompleted, room))▏ \(details)"
  }

  private func details(_ progress: TransferProgress) -> String {
    let completed = ByteCount.text(progress.completed)
    var parts = [progress.total.map { "\(completed) of \(ByteCount.text($0))" } ?? completed]
    guard progress.elapsed >= Self.leastElapsed else { return parts.joined() }
    if let rate = progress.bytesPerSecond { parts.append(Self.rate(rate)) }
    if let left = progress.timeRemaining, progress.completed < progress.total ?? 0 {
      parts.append("\(left.brief) left")
    }
    return parts.joined(separator: " · ")
  }

  /// A number of bytes per second, such as `3.1 MB/s`.
  static func rate(_ bytesPerSecond: Double) -> String {
    ByteCount.text(Int64(min(bytesPerSecond, 1e18))) + "/s"
  }

  private func bar(_ fraction: Double, _ room: Int) -> String {
    let filled = Int(fraction * Double(room * 8))
    let bar = String(repeating: "█", count: filled / 8) + Self.eighths[filled % 8]
    return bar + String(repeating: " ", count: room - bar.count)
  }
}

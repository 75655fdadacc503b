import EssentialFoundation

/// Numbers of bytes and spans of time, short enough for a status line.
enum ByteCount {
  /// `512 B`, `4.2 kB`, `10 MB`: decimal units. From kB on, numbers below 10 have one decimal.
  static func text(_ bytes: Int64) -> String {
    guard bytes >= 1000 else { return "\(bytes) B" }
    var value = Double(bytes)
    var unit = "B"
    for next in ["kB", "MB", "GB", "TB", "PB"] where value >= 999.5 || unit == "B" {
      value /= 1000
      unit = next
    }
    return "\(value.text(digits: value < 9.95 ? 1 : 0)) \(unit)"
  }
}

extension Double {
  /// The number with this many digits after its decimal point.
  func text(digits: Int) -> String {
    let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
    guard isFinite else { return "?" }
    let scaled = Int((self * Double(scale)).rounded(.toNearestOrEven))
    guard digits > 0 else { return String(scaled) }
    let fraction = String(scaled % scale)
    return "\(scaled / scale)." + String(repeating: "0", count: digits - fraction.count) + fraction
  }
}

extension String {
  /// The text padded with blanks, at its end or its front, to this many characters.
  func padded(to width: Int, atFront: Bool = false) -> String {
    let blanks = String(repeating: " ", count: max(0, width - count))
    return atFront ? blanks + self : self + blanks
  }
}

extension Duration {
  /// `850 ms`, `4 s`, `2 min 5 s`, `3 h 10 min`.
  var brief: String {
    let milliseconds = self / .milliseconds(1)
    guard milliseconds >= 999.5 else { return "\(Int(milliseconds.rounded())) ms" }
    guard milliseconds < 359_999_500 else { return "over 99 h" }
    let seconds = Int((milliseconds / 1000).rounded())
    switch seconds {
    case ..<60: return "\(seconds) s"
    case ..<3600: return "\(seconds / 60) min \(seconds % 60) s"
    default: return "\(seconds / 3600) h \(seconds % 3600 / 60) min"
    }
  }
}

import MartletImages

/// A picture as lines of text: each character is two pixels, one above the other, in 24-bit colours.
enum HalfBlocks {
  /// The lines, each of which leaves the terminal's colours as they were.
  ///
  /// What is transparent shows the terminal's background.
  ///
  /// - Parameter pixels: As many columns as pixels in a row, and half as many lines as rows.
  /// - Returns: The lines.
  static func lines(_ pixels: Pixels) -> [String] {
    stride(from: 0, to: pixels.height, by: 2).map { y in
      var line = ""
      var colours = ""
      for x in 0..<pixels.width {
        let (start, block) = cell(
          upper: colour(pixels, x, y),
          lower: y + 1 < pixels.height ? colour(pixels, x, y + 1) : nil)
        if start != colours { line += start }
        colours = start
        line += block
      }
      return line + "\u{1B}[0m"
    }
  }

  /// What sets the colours of a cell, and its character.
  private static func cell(upper: String?, lower: String?) -> (start: String, block: String) {
    switch (upper, lower) {
    case (let upper?, let lower?): ("\u{1B}[38;2;\(upper);48;2;\(lower)m", "▀")
    case (let upper?, nil): ("\u{1B}[0;38;2;\(upper)m", "▀")
    case (nil, let lower?): ("\u{1B}[0;38;2;\(lower)m", "▄")
    case (nil, nil): ("\u{1B}[0m", " ")
    }
  }

  /// `red;green;blue`, or `nil` where more is let through than not.
  private static func colour(_ pixels: Pixels, _ x: Int, _ y: Int) -> String? {
    let pixel = (y * pixels.width + x) * 4
    guard pixels.bytes[pixel + 3] >= 128 else { return nil }
    return pixels.bytes[pixel..<pixel + 3].map { "\($0)" }.joined(separator: ";")
  }
}

import EssentialFoundation
import MartletImages

/// How a terminal shows images.
enum TerminalGraphics: Equatable {
  /// By kitty's graphics protocol.
  case kitty
  /// As half blocks in 24-bit colours.
  case blocks

  /// The way that the environment variables indicate; `nil` when the terminal has no colours, or `NO_COLOR` is set.
  ///
  /// Inside tmux and screen, kitty's protocol does not reach the terminal and is not used.
  init?(environment: [String: String]) {
    let term = environment["TERM"] ?? ""
    if term == "dumb" || Palette.isUnwanted(in: environment) { return nil }
    let program = environment["TERM_PROGRAM"]?.lowercased() ?? ""
    let isMultiplexed =
      environment["TMUX"] != nil || term.hasPrefix("screen") || term.hasPrefix("tmux")
    let speaksKitty =
      term == "xterm-kitty" || term == "xterm-ghostty" || environment["KITTY_WINDOW_ID"] != nil
      || program == "ghostty" || program == "wezterm"
    self = speaksKitty && !isMultiplexed ? .kitty : .blocks
  }
}

/// An image as lines of text: each character is two pixels, one above the other, in 24-bit colours.
enum HalfBlocks {
  /// The lines of an image. Each line resets the terminal's colours at its end.
  ///
  /// Transparent pixels show the terminal's background.
  ///
  /// - Parameter pixels: The image. Each pixel takes one column and half a line.
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

  /// The escape sequence for the colours of a cell, and its character.
  private static func cell(upper: String?, lower: String?) -> (start: String, block: String) {
    switch (upper, lower) {
    case (let upper?, let lower?): ("\u{1B}[38;2;\(upper);48;2;\(lower)m", "▀")
    case (let upper?, nil): ("\u{1B}[0;38;2;\(upper)m", "▀")
    case (nil, let lower?): ("\u{1B}[0;38;2;\(lower)m", "▄")
    case (nil, nil): ("\u{1B}[0m", " ")
    }
  }

  /// `red;green;blue`, or `nil` if the pixel is more transparent than opaque.
  private static func colour(_ pixels: Pixels, _ x: Int, _ y: Int) -> String? {
    let pixel = (y * pixels.width + x) * 4
    guard pixels.bytes[pixel + 3] >= 128 else { return nil }
    return pixels.bytes[pixel..<pixel + 3].map { "\($0)" }.joined(separator: ";")
  }
}

/// An image in kitty's graphics protocol: a PNG file in base64, in pieces of 4096 characters.
///
/// https://sw.kovidgoyal.net/kitty/graphics-protocol
enum KittyGraphics {
  private static let longestPiece = 4096

  /// The escape sequences that show an image at the position of the cursor.
  ///
  /// - Parameters:
  ///   - png: The image, as a PNG file.
  ///   - columns: How many columns it takes. The terminal derives the height from them.
  /// - Returns: The text to write to the terminal.
  static func sequences(png: Data, columns: Int) -> String {
    var text = Substring(png.base64EncodedString())
    // Transmit and show; format PNG; no reply, because a reply would be read as input.
    var control = "a=T,f=100,q=2,c=\(columns),"
    var sequences = ""
    repeat {
      let piece = text.prefix(longestPiece)
      text = text.dropFirst(longestPiece)
      sequences += "\u{1B}_G\(control)m=\(text.isEmpty ? 0 : 1);\(piece)\u{1B}\\"
      control = ""
    } while !text.isEmpty
    return sequences
  }
}

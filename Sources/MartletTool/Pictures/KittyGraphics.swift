import Foundation

/// A picture as kitty's graphics protocol has it: a PNG file in base64, in pieces of 4096 characters.
///
/// https://sw.kovidgoyal.net/kitty/graphics-protocol
enum KittyGraphics {
  private static let longestPiece = 4096

  /// The escape sequences that show a picture where the cursor is.
  ///
  /// - Parameters:
  ///   - png: The picture.
  ///   - columns: How many columns it takes; its height follows.
  /// - Returns: What to write to the terminal.
  static func sequences(png: Data, columns: Int) -> String {
    var text = Substring(png.base64EncodedString())
    // Transmit and show; format PNG; no answer, which would be taken for input.
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

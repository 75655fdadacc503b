import Foundation
import Martlet

/// X bitmaps: C source that defines a width, a height, and an array of bytes.
extension EncodedPicture {
  /// How far the array may be from the beginning.
  private static let longestHead = 16 << 10

  /// The decoder gets a head with the numbers that were found, for it would believe others behind them.
  static func xbm(_ bytes: PictureBytes) throws -> EncodedPicture {
    let head = bytes.data.prefix(longestHead).prefix { $0 != UInt8(ascii: "{") }
    guard head.count < min(bytes.count, longestHead) else { throw MartletError.cutOffImage }
    let lines = String(decoding: head, as: UTF8.self).split { $0.isNewline }
    guard let width = number("width", in: lines), let height = number("height", in: lines) else {
      throw MartletError.notAnImage("its header is malformed")
    }
    let type = lines.contains { $0.contains("short") } ? "short" : "char"
    let start = """
      #define p_width \(width)
      #define p_height \(height)
      static \(type) p_bits[] = {

      """
    return try EncodedPicture(
      format: .xbm, data: Data(start.utf8) + bytes.data.dropFirst(head.count + 1), width: width,
      height: height)
  }

  /// What a line such as `#define sign_width 16` says.
  private static func number(_ name: String, in lines: [Substring]) -> Int? {
    for line in lines {
      let words = line.split { $0 == " " || $0 == "\t" }
      guard words.count >= 3, words[0] == "#define", let value = Int32(words[2]) else { continue }
      if words[1].split(separator: "_").last.map(String.init) == name { return Int(value) }
    }
    return nil
  }
}

import Foundation
import MartletImages

/// The beginnings of pictures, made by hand: 24 pixels wide and 16 high, as they are seen.
enum HandmadePictures {
  static let all: [(format: ImageFormat, data: Data)] = [
    (.tiff, tiff(orientation: 1)), (.tiff, tiff(orientation: 6, width: 16, height: 24)),
    (.jpeg, jpeg()), (.jpeg, jpeg(exif: tiff(orientation: 8), width: 16, height: 24)),
    (.gif, Data("GIF89a".utf8) + little(24, 2) + little(16, 2)),
    (.png, png()), (.ico, icon(of: bitmap(height: 32))),
    (.bmp, Data("BM".utf8) + zeros(12) + bitmap(height: 16)),
    (.bmp, Data("BM".utf8) + zeros(12) + bitmap(height: -16)),
    (.xbm, Data("#define a_width 24\n#define a_height 16\nstatic char a_bits[] = {".utf8)),
    (.xbm, Data("/* a */\n#define height 16\n#define width 24\nstatic short bits[] = {".utf8)),
    (.webp, webp("VP8 ", zeros(3) + [0x9D, 0x01, 0x2A] + little(24, 2) + little(16, 2))),
    (.webp, webp("VP8L", [0x2F] + little(23 | 15 << 14, 4))),
    (.webp, webp("VP8X", zeros(4) + little(23, 3) + little(15, 3))),
    (.avif, avif(turns: 0, width: 24, height: 16)), (.avif, avif(turns: 3, width: 16, height: 24)),
  ]

  static func png(width: Int = 24, height: Int = 16) -> Data {
    Data([0x89]) + Data("PNG\r\n\u{1A}\n".utf8) + big(13, 4) + Data("IHDR".utf8) + big(width, 4)
      + big(height, 4)
  }

  static func icon(of picture: Data) -> Data {
    [0, 0, 1, 0, 1, 0] + zeros(8) + little(picture.count, 4) + little(22, 4) + picture
  }

  static func jpeg(exif: Data? = nil, width: Int = 24, height: Int = 16) -> Data {
    let segment = exif.map {
      Data([0xFF, 0xE1]) + big($0.count + 8, 2) + Data("Exif\0\0".utf8) + $0
    }
    let frame: Data = [0xFF, 0xC2, 0, 17, 8] + big(height, 2) + big(width, 2)
    return Data([0xFF, 0xD8, 0xFF, 0xFE, 0, 4, 1, 2, 0xFF]) + (segment ?? Data()) + frame
  }

  /// A directory; `more` are tags and their values.
  static func tiff(
    orientation: Int = 1, width: Int = 24, height: Int = 16, more: [(Int, Int)] = []
  ) -> Data {
    let tags = [(256, width), (257, height), (274, orientation)] + more
    let entries = tags.map { tag, value in
      big(tag, 2) + big(3, 2) + big(1, 4) + big(value, 2) + zeros(2)
    }
    return Data("MM\0*".utf8) + big(8, 4) + big(tags.count, 2) + entries.joined() + zeros(4)
  }

  /// A whole picture with a red and a blue colour.
  static func gif(width: Int, height: Int, _ blocks: Data...) -> Data {
    Data("GIF89a".utf8) + little(width, 2) + little(height, 2) + [0x80, 0, 0] + [255, 0, 0]
      + [0, 0, 255] + blocks.joined() + [0x3B]
  }

  /// A frame whose first pixel is red, or blue.
  static func gifFrame(width: Int = 1, height: Int = 1, isBlue: Bool = false) -> Data {
    // Three codes of three bits: to begin, the colour, and to end.
    let codes = little(4 | (isBlue ? 1 : 0) << 3 | 5 << 6, 2)
    return [0x2C] + zeros(4) + little(width, 2) + little(height, 2) + [0, 2, 2] + codes + [0]
  }

  /// A picture in two boxes; others may be between them, and behind.
  static func avif(
    turns: UInt8, width: Int, height: Int, between: Data = Data(), behind: Data = Data()
  ) -> Data {
    let properties =
      box("ispe", zeros(4) + big(1, 4) + big(1, 4))
      + box("ispe", zeros(4) + big(width, 4) + big(height, 4)) + box("irot", Data([turns]))
    let associations = zeros(4) + big(1, 4) + big(7, 2) + [2, 2, 0x83]
    let list = box("ipco", properties) + box("ipma", associations)
    return box("ftyp", Data("mif1".utf8) + zeros(4) + Data("avif".utf8)) + between
      + box("meta", zeros(4) + box("pitm", zeros(4) + big(7, 2)) + box("iprp", list)) + behind
  }

  /// A box whose length has eight bytes; by default it is the true one.
  static func longBox(_ type: String, _ content: Data, length: Int? = nil) -> Data {
    big(1, 4) + Data(type.utf8) + big(length ?? content.count + 16, 8) + content
  }

  private static func bitmap(height: Int) -> Data {
    little(40, 4) + little(24, 4) + little(height & 0xFFFF_FFFF, 4) + zeros(28)
  }

  private static func webp(_ type: String, _ content: Data) -> Data {
    Data("RIFF".utf8) + zeros(4) + Data("WEBP\(type)".utf8) + zeros(4) + content
  }

  private static func box(_ type: String, _ content: Data) -> Data {
    big(content.count + 8, 4) + Data(type.utf8) + content
  }

  private static func zeros(_ count: Int) -> Data { Data(repeating: 0, count: count) }

  static func little(_ number: Int, _ length: Int) -> Data {
    Data((0..<length).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
  }

  static func big(_ number: Int, _ length: Int) -> Data {
    Data(little(number, length).reversed())
  }
}

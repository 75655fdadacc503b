import EssentialFoundation
import MartletEssentials

/// The formats whose size is at a fixed offset.
extension EncodedImage {
  /// PNG (RFC 2083 §4.1.1).
  static func png(_ bytes: ImageBytes) throws -> EncodedImage {
    guard bytes.count < 16 || bytes.hasBytes("IHDR", at: 12) else {
      throw MartletError.notAnImage("its header is malformed")
    }
    return try EncodedImage(
      format: .png, data: bytes.data, width: bytes.bigEndian(4, at: 16),
      height: bytes.bigEndian(4, at: 20))
  }

  /// GIF (GIF89a §18).
  static func gif(_ bytes: ImageBytes) throws -> EncodedImage {
    try EncodedImage(
      format: .gif, data: bytes.data, width: bytes.littleEndian(2, at: 6),
      height: bytes.littleEndian(2, at: 8))
  }

  /// BMP, whose height is negative when the first row is the top row.
  static func bmp(_ bytes: ImageBytes) throws -> EncodedImage {
    let isOld = try bytes.littleEndian(4, at: 14) == 12
    let width = try bytes.littleEndian(isOld ? 2 : 4, at: 18)
    let height = try bytes.littleEndian(isOld ? 2 : 4, at: isOld ? 20 : 22)
    return try EncodedImage(
      format: .bmp, data: bytes.data, width: width,
      height: height > Int32.max ? (1 << 32) - height : height)
  }

  /// WebP (RFC 9649 §2.5 to §2.7).
  static func webp(_ bytes: ImageBytes) throws -> EncodedImage {
    let width: Int
    let height: Int
    if bytes.hasBytes("VP8 ", at: 12) {
      guard bytes.count < 26 || bytes.hasBytes([0x9D, 0x01, 0x2A], at: 23) else {
        throw MartletError.notAnImage("its header is malformed")
      }
      width = try bytes.littleEndian(2, at: 26) & 0x3FFF
      height = try bytes.littleEndian(2, at: 28) & 0x3FFF
    } else if bytes.hasBytes("VP8L", at: 12) {
      let bits = try bytes.littleEndian(4, at: 21)
      (width, height) = (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
    } else if bytes.hasBytes("VP8X", at: 12) {
      (width, height) = try (bytes.littleEndian(3, at: 24) + 1, bytes.littleEndian(3, at: 27) + 1)
    } else if bytes.count < 16 {
      throw MartletError.cutOffImage
    } else {
      throw MartletError.notAnImage("its header is malformed")
    }
    return try EncodedImage(format: .webp, data: bytes.data, width: width, height: height)
  }
}

/// JPEG (ITU T.81 annex B): segments, one of which begins the frame, and another may contain EXIF.
extension EncodedImage {
  static func jpeg(_ bytes: ImageBytes) throws -> EncodedImage {
    let (offset, orientation) = try frame(jpeg: bytes)
    return try EncodedImage(
      format: .jpeg, data: bytes.data, width: bytes.bigEndian(2, at: offset + 7),
      height: bytes.bigEndian(2, at: offset + 5), orientation: orientation)
  }

  /// The offset of the frame, and the orientation in the first readable EXIF segment before the frame.
  static func frame(jpeg bytes: ImageBytes) throws -> (offset: Int, orientation: Int) {
    var orientation: Int?
    var offset = 2
    while true {
      guard try bytes.byte(at: offset) == 0xFF else {
        throw MartletError.notAnImage("its header is malformed")
      }
      let marker = try bytes.byte(at: offset + 1)
      switch marker {
      case 0xFF: offset += 1
      case 0x01, 0xD0...0xD7: offset += 2
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: return (offset, orientation ?? 1)
      case 0x00, 0xD8, 0xD9, 0xDA: throw MartletError.notAnImage("its header is malformed")
      default:
        if orientation == nil, marker == 0xE1, bytes.hasBytes("Exif\0\0", at: offset + 4) {
          orientation = try? TIFFDirectory(bytes.suffix(from: offset + 10)).orientation()
        }
        offset += try 2 + max(bytes.bigEndian(2, at: offset + 2), 2)
      }
    }
  }
}

/// Windows icons and cursors: a directory of images, of which the one with the most bytes is used.
extension EncodedImage {
  /// Only the selected image is passed to the decoder.
  ///
  /// The decoder would select one itself, does not support PNG in icons, and reads out of bounds when a palette is too
  /// short and far from the beginning.
  static func ico(_ bytes: ImageBytes) throws -> EncodedImage {
    let entries = try (0..<bytes.littleEndian(2, at: 4)).map { index in
      try (place: 6 + index * 16, length: bytes.littleEndian(4, at: 14 + index * 16))
    }
    guard let best = entries.max(by: { $0.length < $1.length }) else {
      throw MartletError.notAnImage("it has no pixels")
    }
    let offset = try bytes.littleEndian(4, at: best.place + 12)
    let picture = try bytes.slice(offset..<offset + best.length)
    if ImageFormat(of: picture.data) == .png { return try png(picture) }
    // A directory of one entry, without the last field of the entry, which is the offset of the image.
    let head =
      try bytes.slice(0..<4).data + [1, 0] + bytes.slice(best.place..<best.place + 12).data
    return try EncodedImage(
      format: .ico, data: head + [22, 0, 0, 0] + picture.data,
      width: picture.littleEndian(4, at: 4),
      // The height includes the rows of the mask.
      height: picture.littleEndian(4, at: 8) / 2)
  }
}

/// X bitmaps: C source that defines a width, a height, and an array of bytes.
extension EncodedImage {
  /// The maximum offset of the array, in bytes.
  private static let longestHead = 16 << 10

  /// The decoder receives a new head with the numbers that were found, because it would use later definitions.
  static func xbm(_ bytes: ImageBytes) throws -> EncodedImage {
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
    return try EncodedImage(
      format: .xbm, data: Data(start.utf8) + bytes.data.dropFirst(head.count + 1), width: width,
      height: height)
  }

  /// The number that a line such as `#define sign_width 16` defines.
  private static func number(_ name: String, in lines: [Substring]) -> Int? {
    for line in lines {
      let words = line.split { $0 == " " || $0 == "\t" }
      guard words.count >= 3, words[0] == "#define", let value = Int32(words[2]) else { continue }
      if words[1].split(separator: "_").last.map(String.init) == name { return Int(value) }
    }
    return nil
  }
}

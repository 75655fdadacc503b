import Martlet

/// The formats whose size stands at a fixed place.
extension EncodedPicture {
  /// PNG (RFC 2083 §4.1.1).
  static func png(_ bytes: PictureBytes) throws -> EncodedPicture {
    guard bytes.count < 16 || bytes.has("IHDR", at: 12) else {
      throw MartletError.notAnImage("its header is malformed")
    }
    return try EncodedPicture(
      format: .png, data: bytes.data, width: bytes.big(4, at: 16), height: bytes.big(4, at: 20))
  }

  /// GIF (GIF89a §18).
  static func gif(_ bytes: PictureBytes) throws -> EncodedPicture {
    try EncodedPicture(
      format: .gif, data: bytes.data, width: bytes.little(2, at: 6), height: bytes.little(2, at: 8))
  }

  /// BMP, whose height is negative when the first row is the topmost.
  static func bmp(_ bytes: PictureBytes) throws -> EncodedPicture {
    let isOld = try bytes.little(4, at: 14) == 12
    let width = try bytes.little(isOld ? 2 : 4, at: 18)
    let height = try bytes.little(isOld ? 2 : 4, at: isOld ? 20 : 22)
    return try EncodedPicture(
      format: .bmp, data: bytes.data, width: width,
      height: height > Int32.max ? (1 << 32) - height : height)
  }

  /// WebP (RFC 9649 §2.5 to §2.7).
  static func webp(_ bytes: PictureBytes) throws -> EncodedPicture {
    let width: Int
    let height: Int
    if bytes.has("VP8 ", at: 12) {
      guard bytes.count < 26 || bytes.has([0x9D, 0x01, 0x2A], at: 23) else {
        throw MartletError.notAnImage("its header is malformed")
      }
      width = try bytes.little(2, at: 26) & 0x3FFF
      height = try bytes.little(2, at: 28) & 0x3FFF
    } else if bytes.has("VP8L", at: 12) {
      let bits = try bytes.little(4, at: 21)
      (width, height) = (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
    } else if bytes.has("VP8X", at: 12) {
      (width, height) = try (bytes.little(3, at: 24) + 1, bytes.little(3, at: 27) + 1)
    } else if bytes.count < 16 {
      throw MartletError.cutOffImage
    } else {
      throw MartletError.notAnImage("its header is malformed")
    }
    return try EncodedPicture(format: .webp, data: bytes.data, width: width, height: height)
  }
}

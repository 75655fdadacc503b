import Martlet

/// JPEG (ITU T.81 annex B): segments, of which one begins the frame and another may be EXIF.
extension EncodedPicture {
  static func jpeg(_ bytes: PictureBytes) throws -> EncodedPicture {
    let (offset, orientation) = try frame(jpeg: bytes)
    return try EncodedPicture(
      format: .jpeg, data: bytes.data, width: bytes.big(2, at: offset + 7),
      height: bytes.big(2, at: offset + 5), orientation: orientation)
  }

  /// Where the frame begins, and the orientation that the first EXIF segment before it tells.
  static func frame(jpeg bytes: PictureBytes) throws -> (offset: Int, orientation: Int) {
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
        if orientation == nil, marker == 0xE1, bytes.has("Exif\0\0", at: offset + 4) {
          orientation = try? TIFFDirectory(bytes.from(offset + 10)).orientation()
        }
        offset += try 2 + max(bytes.big(2, at: offset + 2), 2)
      }
    }
  }
}

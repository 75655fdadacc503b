import Martlet

/// A box of a media file, such as an AVIF picture (ISO/IEC 14496-12 §4.2): its type, and what is in it.
struct MediaBox {
  let type: String
  let content: PictureBytes

  /// The boxes, one behind the other, as far as they are whole: what comes last may not have to be.
  static func all(in bytes: PictureBytes) throws -> [MediaBox] {
    var boxes: [MediaBox] = []
    var offset = 0
    while offset + 8 <= bytes.count {
      let (start, end) = try extent(ofBoxAt: offset, in: bytes)
      let type = try bytes.slice(offset + 4..<offset + 8).data
      guard end <= bytes.count else { break }
      boxes.append(
        MediaBox(
          type: String(decoding: type, as: UTF8.self), content: try bytes.slice(start..<end)))
      offset = end
    }
    return boxes
  }

  /// Where the content of a box begins, and where it ends.
  private static func extent(ofBoxAt offset: Int, in bytes: PictureBytes) throws
    -> (start: Int, end: Int)
  {
    switch try bytes.big(4, at: offset) {
    // To the end of all.
    case 0: return (offset + 8, bytes.count)
    // The length follows, in eight bytes. What counts more than the last four of them is not all there.
    case 1:
      let length = try bytes.big(4, at: offset + 8) == 0 ? bytes.big(4, at: offset + 12) : nil
      guard let length else { return (offset + 16, .max) }
      if length >= 16 { return (offset + 16, offset + length) }
    case let length where length >= 8: return (offset + 8, offset + length)
    default: break
    }
    throw MartletError.notAnImage("its header is malformed")
  }
}

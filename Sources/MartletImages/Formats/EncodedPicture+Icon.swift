import Foundation
import Martlet

/// Windows icons and cursors: a directory of pictures, of which the one of most bytes counts.
extension EncodedPicture {
  /// The decoder gets that one alone. It would choose for itself, knows no PNG in icons, and reads from behind
  /// its memory when a palette is shorter than it should be and does not stand near the beginning.
  static func ico(_ bytes: PictureBytes) throws -> EncodedPicture {
    let entries = try (0..<bytes.little(2, at: 4)).map { index in
      try (place: 6 + index * 16, length: bytes.little(4, at: 14 + index * 16))
    }
    guard let best = entries.max(by: { $0.length < $1.length }) else {
      throw MartletError.notAnImage("it has no pixels")
    }
    let offset = try bytes.little(4, at: best.place + 12)
    let picture = try bytes.slice(offset..<offset + best.length)
    if ImageFormat(of: picture.data) == .png { return try png(picture) }
    // All but where the picture is: behind this directory of one entry.
    let head =
      try bytes.slice(0..<4).data + [1, 0] + bytes.slice(best.place..<best.place + 12).data
    return try EncodedPicture(
      format: .ico, data: head + [22, 0, 0, 0] + picture.data, width: picture.little(4, at: 4),
      // The rows of the mask are counted, too.
      height: picture.little(4, at: 8) / 2)
  }
}
